//! Prints the start of the generated encyclopedia, some quiz questions, and the n-gram baselines:
//! `cargo run --release -p vivarium-lm --example encyclopedia [SEED]`.

use std::error::Error;
use std::sync::Arc;
use vivarium_lm::baselines::Baselines;
use vivarium_lm::encyclopedia::Encyclopedia;
use vivarium_lm::{Corpus, DataSplit, Tokenizer, Windows};

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(0), |seed| seed.parse())?;
    let encyclopedia = Encyclopedia::write(seed, 2_000_000);
    for article in &encyclopedia.articles()[..8] {
        println!("{}", article.text);
    }
    let questions = encyclopedia.questions();
    println!("{} questions, among them:\n", questions.len());
    for question in &questions[..12] {
        let ends = question.distractors.join(" · ");
        let elsewhere = if question.elsewhere { ", stated elsewhere only" } else { "" };
        println!("{} … {} (not {ends}){elsewhere}", question.prompt, question.answer);
    }
    let text: String = encyclopedia.articles().iter().map(|article| &*article.text).collect();
    let tokenizer = Arc::new(Tokenizer::bpe_of_text(&text, 2048)?);
    let corpus = Arc::new(Corpus::new(encyclopedia.into_sources())?);
    let part =
        |part| Windows::open(corpus.clone(), tokenizer.clone(), corpus.holdout(), part, 128, seed).prepared();
    let (training, validation) = (part(DataSplit::Training)?, part(DataSplit::Validation)?);
    println!(
        "\n{tokenizer}: {} for training, {} held out",
        training.tokens().len(),
        validation.tokens().len()
    );
    println!("{:?}", Baselines::new(tokenizer.vocabulary(), training.tokens(), validation.tokens()));
    Ok(())
}
