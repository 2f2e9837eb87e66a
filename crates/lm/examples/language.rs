//! A language model in one file, in the manner of nanoGPT (Karpathy 2022, <https://github.com/karpathy/nanoGPT>): the
//! transformer of GPT-2 (Radford et al. 2019,
//! <https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf>) over
//! characters, trained with AdamW (Loshchilov and Hutter 2019, <https://arxiv.org/abs/1711.05101>).
//!
//! `cargo run --release -p vivarium-lm --example language [FILE]` prints the losses, then generated text. Without a
//! file the text is a generated encyclopedia. A test requires that the weights equal those of
//! `vivarium_lm::LanguageTrainer` bit for bit.

use std::error::Error;
use vivarium_graph::{Cpu, Graph, Initializer, Plan, Value, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng::Stream;
use vivarium_learn::{Loss, Network, Trainer, schedule::cosine_annealing};
use vivarium_lm::{Characters, encyclopedia::Encyclopedia};

const CONTEXT: usize = 64;
const LAYERS: usize = 4;
const HEADS: usize = 4;
const WIDTH: usize = 128;
const BATCH: usize = 12;
const LEARNING_RATE: f32 = 1e-3;
const FINAL_LEARNING_RATE: f32 = 1e-4;
const WARM_UP: u64 = 100;
const DECAY_STEPS: u64 = 1_000;
const MAX_GRADIENT_NORM: f32 = 1.0;

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1) {
        Some(file) => std::fs::read_to_string(file)?,
        None => Encyclopedia::write(1, 1_000_000).articles().iter().map(|a| &*a.text).collect(),
    };
    let characters = Characters::of_text(&text)?;
    let mut tokens = Vec::new();
    characters.encode(&text, &mut tokens)?;
    let network = train(&tokens, characters.characters().len(), DECAY_STEPS, 1)?;
    println!("{}", characters.decode(&generate(&network, &tokens[..1], 500))?);
    Ok(())
}

/// Adds the transformer without its output head to the graph. Input: `tokens`, [CONTEXT, 1]. Returns the normalized
/// residual stream after the last block, [CONTEXT, WIDTH].
fn transformer(g: &mut Graph, tokens: Value, vocabulary: usize) -> Value {
    let normal = Initializer::Normal(0.02);
    // The residual projections are scaled by 1/√(number of residual projections), as in GPT-2.
    let residual = Initializer::Normal(0.02 / (2.0 * LAYERS as f32).sqrt());
    let words = g.embedding("wte", tokens, vocabulary, WIDTH, normal);
    let positions = g.parameter_shaped("wpe.weight", &[CONTEXT, WIDTH], normal);
    let mut x = g.add(words, positions);
    for layer in 0..LAYERS {
        let name = |part: &str| format!("h.{layer}.{part}");
        let h = g.layer_norm(&name("ln_1"), x);
        let qkv = g.linear_with(&name("attn.c_attn"), h, 3 * WIDTH, normal);
        let h = g.attention(qkv, HEADS);
        let h = g.linear_with(&name("attn.c_proj"), h, WIDTH, residual);
        x = g.add(h, x);
        let h = g.layer_norm(&name("ln_2"), x);
        let h = g.linear_with(&name("mlp.c_fc"), h, 4 * WIDTH, normal);
        let h = g.gelu(h);
        let h = g.linear_with(&name("mlp.c_proj"), h, WIDTH, residual);
        x = g.add(h, x);
    }
    g.layer_norm("ln_f", x)
}

/// Draws BATCH random sequences of CONTEXT + 1 tokens, concatenated.
pub fn batch(tokens: &[u32], random: &mut Stream) -> Vec<u32> {
    let sequence = |_| {
        let start = random.below((tokens.len() - CONTEXT) as u32) as usize;
        tokens[start..=start + CONTEXT].to_vec()
    };
    (0..BATCH).flat_map(sequence).collect()
}

/// Returns the inputs and the targets, which are the next tokens, of sequences of CONTEXT + 1 tokens.
fn inputs_and_targets(sequences: &[u32]) -> [Vec<f32>; 2] {
    [0, 1].map(|first| {
        let shifted = sequences.chunks(CONTEXT + 1).flat_map(|sequence| &sequence[first..first + CONTEXT]);
        shifted.map(|&token| token as f32).collect()
    })
}

/// Trains on nine tenths of the tokens for `steps` gradient steps. Returns the network.
pub fn train(tokens: &[u32], vocabulary: usize, steps: u64, seed: u64) -> Result<Network, Box<dyn Error>> {
    let mut g = Graph::new();
    let [token, target] = ["token", "target"].map(|name| g.input(name, &[CONTEXT, 1]));
    let x = transformer(&mut g, token, vocabulary);
    // The output head shares its weights with the token embedding.
    let losses = g.head_loss("wte", x, target, vocabulary, Initializer::Normal(0.02));
    let logits = g.linear_transposed("wte", x, vocabulary, Initializer::Normal(0.02));
    let row = g.reshape(losses, &[CONTEXT]);
    let loss = g.mean(row);

    let (cpu, mut workspaces) =
        (Cpu::new(std::thread::available_parallelism()?.get()), Workspaces::default());
    let plans = vec![Plan::compile(&g, &[losses], 2)?, Plan::compile(&g, &[logits], 1)?];
    let mut network = Network::new(&g, plans, seed)?;
    // A quarter of the batch at a time: the gradients of the quarters are computed in parallel.
    let plan = Plan::compile(&g.gradient(loss), &[loss], BATCH / 4)?;
    let mut trainer = Trainer::new(&network, vec![Loss { plan, names: &["the loss"] }]);

    let (training, held_out) = tokens.split_at(tokens.len() * 9 / 10);
    let (mut random, mut other_random) = (Stream::new(seed, 0), Stream::new(seed, 1));
    for step in 0..steps {
        let [x, y] = inputs_and_targets(&batch(training, &mut random));
        trainer.differentiate(&cpu, &network, 0, BATCH, &[&x, &y]);
        let learning_rate = if step < WARM_UP {
            (f64::from(LEARNING_RATE) * ((step + 1) as f64 / (WARM_UP + 1) as f64)) as f32
        } else {
            cosine_annealing(LEARNING_RATE, FINAL_LEARNING_RATE, step - WARM_UP, DECAY_STEPS - WARM_UP)
        };
        let adam =
            AdamStep { learning_rate, beta2: 0.99, weight_decay: 0.1, step: step + 1, ..AdamStep::default() };
        let loss = trainer.sum(0) / BATCH as f64;
        trainer.step(&cpu, &mut network, &adam, MAX_GRADIENT_NORM)?;
        if step % 100 == 0 || step + 1 == steps {
            let [x, y] = inputs_and_targets(&batch(held_out, &mut other_random));
            let mut losses = [0.0; BATCH * CONTEXT];
            network.evaluate(&cpu, &mut workspaces, 0, BATCH, &[&x, &y], &mut [&mut losses]);
            let held_out_loss = losses.iter().sum::<f32>() / losses.len() as f32;
            println!("step {step:5}: loss {loss:.3}, held-out loss {held_out_loss:.3} nat per character");
        }
    }
    Ok(network)
}

/// Continues `tokens` by `count` tokens, each sampled from the model's distribution.
fn generate(network: &Network, tokens: &[u32], count: usize) -> Vec<u32> {
    let (mut tokens, mut random) = (tokens.to_vec(), Stream::new(1, 2));
    let mut logits = vec![0.0; network.plan(1).outputs()[0].size()];
    let mut workspace = network.workspace();
    for _ in 0..count {
        let visible = &tokens[tokens.len().saturating_sub(CONTEXT)..];
        let mut x = [0.0; CONTEXT];
        x.iter_mut().zip(visible).for_each(|(x, &token)| *x = token as f32);
        network.evaluate_single_threaded(network.plan(1), &mut workspace, 1, &[&x], &mut [&mut logits]);
        let last = logits.chunks(logits.len() / CONTEXT).nth(visible.len() - 1).expect("a visible token");
        let weights: Vec<f32> = last.iter().map(|logit| logit.exp()).collect();
        let mut rest = random.uniform() * weights.iter().sum::<f32>();
        let next = weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        });
        tokens.push(next.unwrap_or(0) as u32);
    }
    tokens
}
