//! The progress of a query on a terminal is that of its workers, too.

use rread_testkit::terminal::setup;

use super::workers::{Worker, data};

#[test]
fn the_files_that_workers_read_are_counted() {
    let sandbox = data();
    let workers = [(); 2].map(|()| Worker::start(&sandbox, &["--root", "data"]));
    // A million million pairs: it does not end.
    let sql = "SELECT sum(a.id % 7 + b.id % 3 + c.id % 5) FROM t a, t b, t c WHERE a.g = b.g AND b.g = c.g";
    let both = format!("{},{}", workers[0].address, workers[1].address);
    let files = sandbox.path("data").display().to_string();
    let token = workers[0].token.clone().unwrap();
    let line = format!("exec rread select {files} '{sql}' --raw --workers {both} --token-file {token}");
    let mut terminal = setup().size(120, 5).run(&line);
    terminal.until("counts of workers", |terminal| {
        terminal.rows().iter().any(|row| row.contains(" of 5 files") && !row.starts_with("0 B"))
    });
    terminal.send("\x03");
    terminal.child.wait().unwrap();
}
