//! A navseam provider for GraphQL schemas in Rust, with core alone: the definition and the hover
//! of types and directives in the document. build.sh has the command.
#![no_std]

use core::arch::wasm32;
use core::slice;

mod host {
    #[link(wasm_import_module = "navseam_v1")]
    extern "C" {
        pub fn path(ptr: *mut u8, cap: usize) -> i32;
        pub fn source_size() -> i32;
        pub fn source(offset: usize, ptr: *mut u8, cap: usize) -> i32;
        pub fn locations(records: *const [u32; 6], count: usize);
        pub fn hover(ptr: *const u8, len: usize);
        pub fn hover_range(line: u32, character: u32, end_line: u32, end_character: u32);
    }
}

const DONE: i32 = 0;
const FAILED: i32 = 3;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    wasm32::unreachable()
}

/// The memory behind the module's own data, which is used anew in each call.
fn memory(size: usize) -> Option<&'static mut [u8]> {
    extern "C" {
        static mut __heap_base: u8;
    }
    let start = unsafe { &mut __heap_base as *mut u8 };
    let pages = (start as usize + size + 0xffff) >> 16;
    let have = wasm32::memory_size(0);
    if pages > have && wasm32::memory_grow(0, pages - have) == usize::MAX {
        return None;
    }
    Some(unsafe { slice::from_raw_parts_mut(start, size) })
}

/// The document, and as much room behind it for an answer as that may need.
fn load() -> Option<(&'static [u8], &'static mut [u8])> {
    let size = usize::try_from(unsafe { host::source_size() }).ok()?;
    let path = unsafe { host::path(core::ptr::null_mut(), 0) } as usize;
    let (source, room) = memory(2 * size + path + 64)?.split_at_mut(size);
    let copied = unsafe { host::source(0, source.as_mut_ptr(), size) };
    (copied as usize == size).then_some((source, room))
}

/// A word, a directive with its @, a string with its quotes, or a character.
#[derive(Clone, Copy)]
struct Token {
    text: &'static [u8],
    start: usize,
    line: u32,
    character: u32, // in UTF-16 units
}

impl Token {
    fn is_name(&self) -> bool {
        self.text[0] == b'@' || is_letter(self.text[0])
    }

    fn is_keyword(&self) -> bool {
        matches!(self.text, b"type" | b"interface" | b"union" | b"enum" | b"input" | b"scalar" | b"directive")
    }

    fn end(&self) -> u32 {
        self.character + self.text.len() as u32
    }
}

fn is_letter(c: u8) -> bool {
    c == b'_' || c.is_ascii_alphanumeric()
}

fn is_blank(c: u8) -> bool {
    matches!(c, b' ' | b'\t' | b'\r' | b'\n' | b',')
}

#[derive(Clone, Copy)]
struct Tokens {
    source: &'static [u8],
    at: usize, // the next byte to read, and its place
    line: u32,
    character: u32,
}

impl Tokens {
    fn new(source: &'static [u8]) -> Tokens {
        Tokens { source, at: 0, line: 0, character: 0 }
    }

    fn rest(&self) -> &'static [u8] {
        &self.source[self.at..]
    }

    fn advance(&mut self, bytes: usize) {
        for _ in 0..bytes.min(self.rest().len()) {
            let c = self.source[self.at];
            self.at += 1;
            match c {
                b'\r' if self.rest().first() == Some(&b'\n') => {}
                b'\n' | b'\r' => (self.line, self.character) = (self.line + 1, 0),
                0x80..=0xbf => {} // inside of a character
                0xf0.. => self.character += 2,
                _ => self.character += 1,
            }
        }
    }

    fn advance_while(&mut self, holds: fn(u8) -> bool) {
        while self.rest().first().map_or(false, |&c| holds(c)) {
            self.advance(1);
        }
    }

    fn read_string(&mut self) {
        let quotes: &[u8] = if self.rest().starts_with(b"\"\"\"") { b"\"\"\"" } else { b"\"" };
        let short = quotes.len() == 1;
        self.advance(quotes.len());
        while let Some(&c) = self.rest().first() {
            if self.rest().starts_with(quotes) || short && c == b'\n' {
                break;
            }
            let escape = c == b'\\' && (short || self.rest()[1..].starts_with(quotes));
            self.advance(if escape { 1 + quotes.len() } else { 1 });
        }
        self.advance(quotes.len());
    }
}

impl Iterator for Tokens {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.advance_while(is_blank);
        while self.rest().first() == Some(&b'#') {
            self.advance_while(|c| c != b'\n');
            self.advance_while(is_blank);
        }
        let first = *self.rest().first()?;
        let (start, line, character) = (self.at, self.line, self.character);
        if first == b'"' {
            self.read_string();
        } else {
            self.advance(1);
            if first == b'@' || is_letter(first) {
                self.advance_while(is_letter);
            }
        }
        Some(Token { text: &self.source[start..self.at], start, line, character })
    }
}

/// The name at a position.
fn name_at(source: &'static [u8], line: u32, character: u32) -> Option<Token> {
    let there = |t: &Token| t.is_name() && t.line == line && (t.character..=t.end()).contains(&character);
    Tokens::new(source).filter(there).last()
}

struct Definition {
    description: Option<Token>,
    keyword: Token,
    name: Token,
}

/// All definitions in the document.
fn definitions(source: &'static [u8]) -> impl Iterator<Item = Definition> {
    let mut tokens = Tokens::new(source);
    let (mut before, mut depth): (Option<Token>, i32) = (None, 0);
    core::iter::from_fn(move || loop {
        let keyword = tokens.next()?;
        let description = before.replace(keyword);
        match keyword.text {
            b"{" | b"(" => depth += 1,
            b"}" | b")" => depth -= 1,
            _ => {}
        }
        if depth <= 0 && keyword.is_keyword() {
            let name = tokens.next()?;
            before = Some(name);
            if description.map_or(true, |t| t.text != b"extend") {
                return Some(Definition { description, keyword, name });
            }
        }
    })
}

#[no_mangle]
#[allow(non_snake_case)]
pub extern "C" fn goToDefinition(line: u32, character: u32) -> i32 {
    let (source, path) = match load() {
        Some(loaded) => loaded,
        None => return FAILED,
    };
    let length = unsafe { host::path(path.as_mut_ptr(), path.len()) } as u32;
    if let Some(asked) = name_at(source, line, character) {
        for Definition { name, .. } in definitions(source).filter(|d| d.name.text == asked.text) {
            let record = [path.as_ptr() as u32, length, name.line, name.character, name.line, name.end()];
            unsafe { host::locations(&record, 1) };
        }
    }
    DONE
}

#[no_mangle]
pub extern "C" fn hover(line: u32, character: u32) -> i32 {
    let (source, room) = match load() {
        Some(loaded) => loaded,
        None => return FAILED,
    };
    let asked = match name_at(source, line, character) {
        Some(name) => name,
        None => return DONE,
    };
    if let Some(definition) = definitions(source).find(|d| d.name.text == asked.text) {
        let heading = source[definition.keyword.start..].split(|&c| c == b'\n' || c == b'{').next().unwrap_or_default();
        let description = match definition.description {
            Some(t) if t.text[0] == b'"' => trim(t.text),
            _ => b"",
        };
        let blank_line: &[u8] = if description.is_empty() { b"" } else { b"\n\n" };
        let mut length = 0;
        for part in [b"```graphql\n", trim(heading), b"\n```", blank_line, description] {
            room[length..length + part.len()].copy_from_slice(part);
            length += part.len();
        }
        unsafe {
            host::hover(room.as_ptr(), length);
            host::hover_range(asked.line, asked.character, asked.line, asked.end());
        }
    }
    DONE
}

/// Without quotes and blanks around it.
fn trim(mut text: &[u8]) -> &[u8] {
    while let [b'"' | b' ' | b'\t' | b'\r' | b'\n', rest @ ..] | [rest @ .., b'"' | b' ' | b'\t' | b'\r' | b'\n'] = text {
        text = rest;
    }
    text
}
