//! The program with SQL as the system loads it.

/// At a random address, the pointers of the engine would be corrected at each start.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn it_has_a_fixed_address_unless_the_builder_says_so() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_rread")).unwrap();
    // The type of an ELF file: 2 is a program at a fixed address, 3 one at any.
    let expected = if option_env!("RREAD_PIE").is_some() { 3 } else { 2 };
    assert_eq!(u16::from_ne_bytes([program[16], program[17]]), expected);
}
