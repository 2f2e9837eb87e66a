//! Corpus: chunks cover the text exactly once, and unreadable files are reported.

use vivarium_lm::data::{CharacterScan, ReadBuffers, WordScan};
use vivarium_lm::{ByteSource, Corpus, DataError, Holdout, MemorySource};

fn memory(files: &[(&str, &[u8])]) -> Vec<Box<dyn ByteSource>> {
    files
        .iter()
        .map(|&(name, bytes)| Box::new(MemorySource::new(name, bytes)) as Box<dyn ByteSource>)
        .collect()
}

/// Reads all documents of a corpus; parts of the same document are joined.
fn documents(corpus: &Corpus) -> Result<Vec<String>, DataError> {
    let (mut all, mut ended, mut scratch) = (Vec::<String>::new(), true, ReadBuffers::default());
    for chunk in 0..corpus.chunks() {
        corpus.read(chunk, &mut scratch, |document| {
            match all.last_mut().filter(|_| !ended) {
                Some(last) => last.push_str(document.text),
                None => all.push(document.text.to_owned()),
            }
            ended = document.ends;
            Ok(())
        })?;
    }
    assert!(ended);
    Ok(all)
}

fn read(files: &[(&str, &[u8])]) -> Result<Vec<String>, DataError> {
    documents(&Corpus::new(memory(files))?)
}

fn lines(count: usize) -> String {
    (0..count).map(|line| format!("line {line} ünd {}\n", "x".repeat(line * line % 97))).collect()
}

#[test]
fn the_chunks_concatenate_to_the_text() {
    let (long_lines, many_lines) = ("äöü中 ".repeat(20_000), lines(30_000));
    let files: [(&str, &[u8]); 5] = [
        ("long lines", long_lines.as_bytes()),
        ("nothing", b""),
        ("short", b"short"),
        ("marked", b"\xef\xbb\xbfmarked\n"),
        ("many lines", many_lines.as_bytes()),
    ];
    let corpus = Corpus::new(memory(&files)).unwrap();
    assert!(corpus.chunks() > 500, "{}", corpus.chunks());
    assert_eq!(corpus.bytes(), files.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>());
    assert_eq!(documents(&corpus).unwrap(), [&*long_lines, "short", "marked\n", &*many_lines]);
    assert_eq!(corpus.holdout(), Holdout::Spread { one_in: 10 });
    assert_eq!(Corpus::new(memory(&files[4..])).unwrap().holdout(), Holdout::Tail { one_in: 10 });
}

/// Returns a MediaWiki XML dump with articles of many lengths and other pages, and the expected articles.
fn dump(articles: usize) -> (String, Vec<String>) {
    let mut xml = String::from("<?xml version=\"1.0\"?>\n<mediawiki xml:lang=\"en\">\n<siteinfo/>\n");
    let mut expected = Vec::new();
    for number in 0..articles {
        let length = number * number % 301 + 1;
        let body = "A fact &amp; a ''word''. ".repeat(length);
        xml += &format!(
            "<page><title>No. {number} &lt;ö&gt;</title><ns>0</ns><revision><id>7</id>\
             <comment>&lt;page&gt;</comment><text bytes=\"9\" xml:space=\"preserve\">{body}&#x2764;</text></revision></page>\n\
             <page><title>Talk:{number}</title><ns>1</ns><revision><text>No.</text></revision></page>\n\
             <page><title>R{number}</title><ns>0</ns><redirect title=\"x\" /><revision><text>#R</text></revision></page>\n"
        );
        let body = "A fact & a word. ".repeat(length);
        expected.push(format!("No. {number} <ö>\n\n{body}❤\n\n"));
    }
    xml += "</mediawiki>\n";
    (xml, expected)
}

#[test]
fn each_article_of_a_dump_is_read_once() {
    let (xml, expected) = dump(400);
    let corpus = Corpus::new(memory(&[("dump.xml", xml.as_bytes())])).unwrap();
    // Pages and tags cross chunk boundaries.
    assert!(corpus.chunks() > 900 && corpus.chunk_bytes() < 2048);
    assert_eq!(documents(&corpus).unwrap(), expected);
    let old = b"<mediawiki><page><title>A</title><ns>0</ns><revision><text>#REDIRECT [[B]]</text></revision></page>";
    assert_eq!(read(&[("old", old)]).unwrap(), [""; 0]);
}

#[test]
fn invalid_text_is_rejected() {
    let says = |bytes: &[u8], expected: &str| {
        assert_eq!(read(&[("my file", bytes)]).unwrap_err().to_string(), expected);
    };
    says(b"", "the training text is empty");
    let mut text = lines(10_000).into_bytes();
    text[70_001] = 0xff;
    says(&text, "my file is not UTF-8 at byte 70001; save the text as UTF-8");
    says(b"\xef\xbb\xbfab\xc3", "my file is not UTF-8 at byte 5; save the text as UTF-8");
    says(b"\xff\xfea\0", "my file is not UTF-8 at byte 0: the file is UTF-16; save the text as UTF-8");
    says(b"BZh91AY&SY", "my file is not UTF-8 at byte 0: the file is compressed; decompress it first");
    says(
        b"<mediawiki><page><title>",
        "cannot read the page at byte 11 of my file: the file ends before </page>",
    );
    let error = read(&[("my file", b"<mediawiki><page></b></page>")]).unwrap_err().to_string();
    assert!(error.starts_with("cannot read the page at byte 11 of my file: "), "{error}");
    let mut xml = b"<mediawiki><page><title>\xff</title></page>".to_vec();
    says(&xml, "my file is not UTF-8 at byte 24; save the text as UTF-8");
    xml.truncate(17);
    xml.resize(40 << 20, b' ');
    says(
        &xml,
        "cannot read the page at byte 11 of my file: it is longer than 32 MiB; use an export of current revisions only",
    );
}

/// Special files must be rejected before they are opened, because opening a pipe without a writer blocks.
#[cfg(unix)]
#[test]
fn special_files_are_rejected() {
    let folder = std::env::temp_dir().join(format!("vivarium-pipe-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let pipe = folder.join("pipe.txt");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for path in [&pipe, &folder, std::path::Path::new("/dev/zero")] {
        let error = vivarium_lm::data::open(path).map(drop).unwrap_err().to_string();
        assert!(error.ends_with("not a regular file or folder"), "{error}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn files_and_folders_are_opened() {
    use std::fs;
    use vivarium_lm::data::open;
    let folder = std::env::temp_dir().join(format!("vivarium-corpus-{}", std::process::id()));
    let inner = folder.join("b inner");
    fs::create_dir_all(&inner).unwrap();
    let none = open(&folder).map(|_| ()).unwrap_err().to_string();
    let text = lines(500);
    fs::write(folder.join("c.md"), &text).unwrap();
    fs::write(inner.join("z.txt"), "z").unwrap();
    fs::write(folder.join("a.txt"), "a").unwrap();
    fs::write(folder.join("a.png"), b"\xff").unwrap();
    let corpus = Corpus::new(open(&folder).unwrap()).unwrap();
    let found = documents(&corpus).unwrap();
    let alone = documents(&Corpus::new(open(&folder.join("c.md")).unwrap()).unwrap()).unwrap();
    // More files than the usual limit of open files.
    for number in 0..1500 {
        fs::write(inner.join(format!("{number:04}.txt")), "many\n").unwrap();
    }
    let many = documents(&Corpus::new(open(&inner).unwrap()).unwrap()).unwrap();
    let missing = open(&folder.join("d")).map(|_| ()).unwrap_err().to_string();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found, ["a", "z", &text]);
    assert_eq!(alone, [text]);
    assert_eq!(many.len(), 1501);
    let path = folder.display();
    assert_eq!(none, format!("{path} has no text files (extensions: .txt, .text, .md, .xml)"));
    let name = folder.join("d");
    assert_eq!(missing, format!("cannot read {}: no such file or folder", name.display()));
}

#[test]
fn scans_return_characters_and_word_counts() {
    let text = lines(20_000);
    let corpus = Corpus::new(memory(&[("text", text.as_bytes())])).unwrap();
    let mut survey = CharacterScan::default();
    let mut steps = 1;
    while survey.advance(&corpus, 100).unwrap() {
        steps += 1;
    }
    assert_eq!(steps, corpus.chunks().div_ceil(100));
    assert_eq!(survey.characters().unwrap(), vivarium_lm::Characters::of_text(&text).unwrap());

    let different = |most_bytes| {
        let mut survey = WordScan::new(&corpus, corpus.holdout(), most_bytes);
        while survey.advance(&corpus, 7).unwrap() {}
        survey.words().different()
    };
    // Each line number is a distinct word; a tenth of them is held out.
    let (all, some, least) = (different(u64::MAX), different(100_000), different(0));
    assert!((17_800..18_300).contains(&all), "{all}");
    assert!(some > all / 20 && some < all / 5, "{some} of {all}");
    assert!(least > 10 && least < 200, "{least}");
}
