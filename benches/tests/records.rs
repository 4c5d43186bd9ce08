//! Every format reads what it wrote: nobody is timed on the wrong work.

use kiln_benches::records::samples;

fn check(set: &str) {
    let sample = samples(|name| name == set).next().expect("a data set of that name");
    sample.check();
}

#[test]
fn every_format_reads_the_log_that_it_wrote() {
    check("log");
}

#[test]
fn every_format_reads_the_mesh_that_it_wrote() {
    check("mesh");
}

#[test]
fn every_format_reads_the_players_that_it_wrote() {
    check("minecraft_savedata");
}

#[test]
fn every_format_reads_the_updates_that_it_wrote() {
    check("mk48");
}
