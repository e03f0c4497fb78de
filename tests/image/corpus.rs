//! Real pictures, where `RREAD_CORPUS` names a folder with some.

use std::fs;
use std::path::Path;

use super::pictures::facts;

#[test]
fn real_pictures_are_read_and_other_files_are_not() {
    let Some(corpus) = std::env::var_os("RREAD_CORPUS") else {
        eprintln!("skipped: RREAD_CORPUS is not set");
        return;
    };
    let ours = ["png", "jpg", "gif", "webp", "tif", "svg"];
    for folder in ["images", "binary"] {
        for entry in fs::read_dir(Path::new(&corpus).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let is_ours = path.extension().is_some_and(|end| ours.iter().any(|own| end == *own));
            let found = facts(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(found.is_some(), is_ours, "{}", path.display());
            let Some(picture) = found.filter(|picture| picture.mode.is_some()) else { continue };
            let known = image::ImageReader::new(std::io::Cursor::new(&bytes)).with_guessed_format().unwrap();
            let (width, height) = known.into_dimensions().unwrap();
            assert_eq!(picture.size(), format!("{width}x{height}"), "{}", path.display());
            assert_ne!(picture.complete, Some(false), "{}", path.display());
        }
    }
}
