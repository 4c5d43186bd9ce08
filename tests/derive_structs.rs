//! Derived structs and enums, byte by byte.

use kiln::{Code, Frozen, Reason};

#[derive(Frozen, Debug, PartialEq)]
struct Point {
    x: i32,
    y: i32,
}

#[test]
fn a_struct_is_its_fields_in_declaration_order() {
    let bytes = [9, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff];
    assert_eq!(kiln::to_vec(&Point { x: 9, y: -4 }).unwrap(), bytes);
    assert_eq!(kiln::from_slice::<Point>(&bytes), Ok(Point { x: 9, y: -4 }));
    assert_eq!(kiln::type_text::<Point>(), "struct{x:i32,y:i32,}");
}

#[derive(Frozen, Debug, PartialEq, Clone, Copy)]
#[repr(u16)]
enum Level {
    Low = 1 << 4,
    High,
}

#[test]
fn an_enum_is_its_integer() {
    assert_eq!(kiln::to_vec(&Level::High).unwrap(), [17, 0]);
    let error = kiln::from_slice::<Level>(&[18, 0]).unwrap_err();
    assert_eq!((error.code(), error.reason(), error.offset()), (Code::Type, Reason::EnumValue, 0));
}
