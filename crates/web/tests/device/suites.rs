//! Tests of the engine test suites, each executed on the GPU.

macro_rules! on_the_device {
    ($suite:ident: $($test:ident),*) => {
        mod $suite {
            $(
                #[wasm_bindgen_test::wasm_bindgen_test]
                async fn $test() {
                    crate::engine::check(crate::$suite::$test).await;
                }
            )*
        }
    };
}

on_the_device!(operations: relu, tanh, gelu, sigmoid, exp, square, abs, neg, softmax, log_softmax, sum, mean, ln, sqrt,
    add, sub, mul, div, min, max, linear_layers_of_many_shapes, layer_norm, layer_norm_without_bias, rms_norm, scale_offset_and_clamp,
    select_between_two_values, gather_picks_a_column, cross_entropy, repeat_concat_and_slice, parameters_as_values,
    settings_and_constants_scale_a_loss, a_stopped_gradient_is_a_constant,
    values_with_several_lines_a_row_are_longer_batches, wide_values_with_several_lines, not_a_number_stays_visible);

on_the_device!(networks: a_discrete_actor_critic_with_the_loss_of_ppo, a_gaussian_actor_critic_with_separate_torsos,
    a_residual_network_with_layer_norm_and_several_heads, dueling_heads_with_a_huber_loss);
