//! Generated encyclopedia: reproducible, of any size, well-formed, with answerable questions.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use vivarium_lm::encyclopedia::{Encyclopedia, EncyclopediaWriter, Relation, grade};
use vivarium_lm::{Corpus, DataSplit, Tokenizer, Windows};

/// Returns an encyclopedia of two volumes.
fn volumes() -> Encyclopedia {
    Encyclopedia::write(3, 1_500_000)
}

/// Returns whether a text contains `words` as whole words, ignoring the case of the first letter.
fn has_words(text: &str, words: &str) -> bool {
    let inner = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    let mut capital = words.chars();
    let capital: String = capital.next().into_iter().flat_map(char::to_uppercase).chain(capital).collect();
    [words, &*capital].into_iter().any(|words| {
        text.match_indices(words).any(|(start, found)| {
            !inner(text[..start].chars().next_back()) && !inner(text[start + found.len()..].chars().next())
        })
    })
}

#[test]
fn equal_seeds_give_equal_articles() {
    let short = Encyclopedia::write(3, 100_000);
    assert_eq!(short, Encyclopedia::write(3, 100_000));
    let long = volumes();
    assert!(long.articles().starts_with(short.articles()));
    let other = Encyclopedia::write(4, 100_000);
    assert_ne!(short.articles()[..10], other.articles()[..10]);
}

#[test]
fn incremental_generation_equals_generation_in_one_call() {
    // Extends into the second volume.
    let whole = Encyclopedia::write(3, 700_000);
    for most in [1, 100] {
        let (mut author, mut done) = (EncyclopediaWriter::new(3, 700_000), vec![0.0]);
        while author.advance(most) {
            done.push(author.done());
        }
        assert!(done.is_sorted() && done.len() > 5 && done.iter().all(|&done| done < 1.0), "{done:?}");
        assert_eq!(author.done(), 1.0);
        assert_eq!(author.encyclopedia(), whole);
    }
}

#[test]
fn the_size_is_as_requested() {
    for bytes in [0, 1, 5000, 300_000] {
        let encyclopedia = Encyclopedia::write(0, bytes);
        let lengths: Vec<_> = encyclopedia.articles().iter().map(|article| article.text.len()).collect();
        let written: usize = lengths.iter().sum();
        assert!(written >= bytes && written - lengths.last().unwrap() <= bytes, "{written} for {bytes}");
    }
}

#[test]
fn articles_are_well_formed() {
    let encyclopedia = volumes();
    for article in encyclopedia.articles() {
        let text = &article.text;
        let paragraphs: Vec<_> = text.strip_suffix("\n\n").unwrap().split("\n\n").collect();
        assert_eq!(paragraphs[0], article.title());
        assert!(paragraphs.len() >= 2, "{text}");
        assert!(text.len() > 120 && text.len() < 4000, "{text}");
        for wrong in ["{", "}", "  ", "..", " .", " ,", "the the", "The the", "\n\n\n", "a a ", "It it", ":."]
        {
            assert!(!text.contains(wrong), "{wrong:?} in {text}");
        }
        for paragraph in &paragraphs[1..] {
            assert!(paragraph.ends_with('.') && !paragraph.contains('\n'), "{paragraph}");
            assert!(!paragraph.starts_with(char::is_lowercase), "{paragraph}");
        }
    }
}

#[test]
fn volumes_state_the_same_facts_in_other_words() {
    let encyclopedia = volumes();
    let mut of_title = BTreeMap::<_, BTreeSet<_>>::new();
    for article in encyclopedia.articles() {
        of_title.entry(article.title()).or_default().insert(&article.text);
    }
    let twice: Vec<_> = of_title.values().filter(|texts| texts.len() > 1).collect();
    assert!(twice.len() > 400, "{} of {}", twice.len(), of_title.len());
    // A number with an article in one volume only.
    assert_eq!(of_title["144 (number)"].len(), 1);
}

#[test]
fn questions_are_answered_by_articles_in_other_words() {
    let encyclopedia = volumes();
    let all: String = encyclopedia.articles().iter().map(|article| &*article.text).collect();
    let questions = encyclopedia.questions();
    assert!((800..2000).contains(&questions.len()), "{}", questions.len());
    for question in &questions {
        assert!(!all.contains(&question.prompt), "{}", question.prompt);
        assert!(has_words(&question.prompt, &question.subject), "{question:?}");
        let both = |text: &str| has_words(text, &question.subject) && has_words(text, &question.answer);
        // In articles about other subjects, one sentence contains subject and object; otherwise the title is the subject.
        match question.elsewhere {
            true => assert!(all.split(['.', '\n']).any(both), "{question:?}"),
            false => assert!(both_in_article(&encyclopedia, &both), "{question:?}"),
        }
        let mut ends: Vec<_> = question.endings().collect();
        assert!(ends.iter().all(|end| end.starts_with(' ') && has_words(&all, &end[1..])), "{question:?}");
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), 4);
    }
    let asked: BTreeSet<_> = questions.iter().map(|question| question.relation).collect();
    assert_eq!(asked, Relation::ALL.into());
    assert_eq!(questions, encyclopedia.questions());
}

fn both_in_article(encyclopedia: &Encyclopedia, both: &impl Fn(&str) -> bool) -> bool {
    encyclopedia.articles().iter().any(|article| both(&article.text))
}

#[test]
fn some_facts_are_stated_only_in_other_articles() {
    let encyclopedia = volumes();
    let questions = encyclopedia.questions();
    for (relation, title, most) in
        [(Relation::Capital, "", 30), (Relation::Symbol, " (element)", 35), (Relation::Mouth, " (river)", 12)]
    {
        let elsewhere: Vec<_> = questions.iter().filter(|q| q.relation == relation && q.elsewhere).collect();
        assert!(elsewhere.len() >= 8 && elsewhere.len() <= most, "{relation:?}: {}", elsewhere.len());
        for question in elsewhere {
            let subject = question.subject.strip_prefix("the ").unwrap_or(&question.subject);
            let title = format!("{subject}{title}").to_lowercase();
            let home =
                encyclopedia.articles().iter().filter(|article| article.title().to_lowercase() == title);
            let home: Vec<_> = home.collect();
            assert!(home.len() >= 2, "{title}");
            // Facts about the subject are in the first two paragraphs.
            for article in home {
                let own: Vec<_> = article.text.split("\n\n").take(2).collect();
                assert!(!has_words(&own.concat(), &question.answer), "{}", article.text);
            }
        }
    }
    let others = questions.iter().filter(|q| q.elsewhere && !matches!(q.relation, Relation::Capital));
    assert!(others.count() > 30);
}

#[test]
fn facts_are_correct() {
    let questions = volumes().questions();
    for (relation, subject, answer) in [
        (Relation::Capital, "France", "Paris"),
        (Relation::Capital, "Australia", "Canberra"),
        (Relation::CapitalOf, "Nairobi", "Kenya"),
        (Relation::Continent, "Peru", "South America"),
        (Relation::Currency, "Japan", "yen"),
        (Relation::Language, "Brazil", "Portuguese"),
        (Relation::Mouth, "the Rhine", "North Sea"),
        (Relation::MountainIn, "Kilimanjaro", "Tanzania"),
        (Relation::PlanetPlace, "Mars", "four"),
        (Relation::Symbol, "gold", "Au"),
        (Relation::AtomicNumber, "iron", "26"),
        (Relation::Family, "helium", "noble gases"),
        (Relation::Roman, "49", "XLIX"),
        (Relation::Square, "12", "144"),
        (Relation::SmallestFactor, "91", "7"),
    ] {
        let mut found = questions.iter().filter(|q| q.relation == relation && q.subject == subject);
        assert_eq!(found.next().map(|question| &*question.answer), Some(answer), "{relation:?} of {subject}");
        assert!(found.next().is_none());
    }
}

#[test]
fn the_quiz_separates_knowledge_from_guessing() {
    let questions = volumes().questions();
    // Correct by likelihood per byte, not by total likelihood.
    let answers: BTreeSet<_> =
        questions.iter().map(|q| (q.prompt.clone(), format!(" {}", q.answer))).collect();
    let knows = |prompt: &str, end: &str| {
        let right = answers.contains(&(prompt.to_owned(), end.to_owned()));
        Ok::<_, Infallible>(-(end.len() as f64) * if right { 1.0 } else { 1.1 })
    };
    let grades = grade(&questions, knows).unwrap();
    assert_eq!(grades.all.share(), Some(1.0));
    assert_eq!(grades.all.asked as usize, questions.len());
    assert_eq!(grades.by_relation.values().map(|score| score.asked).sum::<u32>(), grades.all.asked);
    // Hash-based answers are correct in about a quarter of the questions; ties are never correct.
    let mut state = 1u64;
    let guesses = grade(&questions, |_, end| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Ok::<_, Infallible>(end.len() as f64 * (state >> 40) as f64)
    });
    let share = guesses.unwrap().all.share().unwrap();
    assert!((0.2..0.3).contains(&share), "{share}");
    let undecided = grade(&questions, |_, _| Ok::<_, Infallible>(f64::NAN)).unwrap();
    assert_eq!(undecided.all.right, 0);
    assert_eq!(grade(&questions, |_, _| Err("no")), Err("no"));
}

#[test]
fn the_articles_are_usable_as_training_text() {
    let encyclopedia = Encyclopedia::write(0, 200_000);
    let articles = encyclopedia.articles().len();
    let text: String = encyclopedia.articles().iter().map(|article| &*article.text).collect();
    let corpus = std::sync::Arc::new(Corpus::new(encyclopedia.into_sources()).unwrap());
    assert_eq!(corpus.bytes(), text.len() as u64);
    let tokenizer = std::sync::Arc::new(Tokenizer::bpe_of_text(&text, 500).unwrap());
    let holdout = corpus.holdout();
    let windows =
        Windows::open(corpus, tokenizer.clone(), holdout, DataSplit::Training, 64, 0).prepared().unwrap();
    let ends = windows.tokens().iter().filter(|&&token| Some(token) == tokenizer.end_of_document()).count();
    assert!(ends > articles / 2, "{ends}");
}
