;; A provider for a toy language. A line "def WORD" defines a word, a line "impl WORD"
;; implements it, and every whole word in the text is a use of it.
(module
  (import "navseam_v1" "path" (func $path (param i32 i32) (result i32)))
  (import "navseam_v1" "source_size" (func $source_size (result i32)))
  (import "navseam_v1" "source" (func $source (param i32 i32 i32) (result i32)))
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "navseam_v1" "hover" (func $hover_text (param i32 i32)))
  (import "navseam_v1" "hover_range" (func $hover_range (param i32 i32 i32 i32)))
  (import "navseam_v1" "message" (func $message (param i32 i32)))

  ;; 0: the record of one location. 32: keywords, a message. 128: the path, then the text.
  (memory (export "memory") 1)
  (data (i32.const 32) "def impl the document does not fit into memory")

  (global $path_size (mut i32) (i32.const 0))
  (global $text (mut i32) (i32.const 0)) ;; where the text begins and ends
  (global $end (mut i32) (i32.const 0))
  (global $line_start (mut i32) (i32.const 0)) ;; of the line that is asked about
  (global $word (mut i32) (i32.const 0)) ;; where the asked word begins and ends
  (global $word_end (mut i32) (i32.const 0))

  ;; Reads path and text and finds the word at the position. A status other than 0 ends the call.
  (func $ask (param $line i32) (param $character i32) (result i32)
    (local $size i32) (local $at i32) (local $missing i32) (local $units i32)
    (global.set $path_size (call $path (i32.const 0) (i32.const 0))) ;; cap 0: only the size
    (local.set $size (call $source_size))
    (if (i32.lt_s (local.get $size) (i32.const 0)) (then (return (i32.const 3))))
    (global.set $text (i32.add (i32.const 128) (global.get $path_size)))
    (global.set $end (i32.add (global.get $text) (local.get $size)))
    (local.set $missing (i32.sub
      (i32.shr_u (i32.add (global.get $end) (i32.const 65535)) (i32.const 16))
      (memory.size)))
    (if (i32.gt_s (local.get $missing) (i32.const 0)) (then
      (if (i32.eq (memory.grow (local.get $missing)) (i32.const -1)) (then
        (call $message (i32.const 41) (i32.const 37))
        (return (i32.const 3))))))
    (drop (call $path (i32.const 128) (global.get $path_size)))
    (if (i32.ne (call $source (i32.const 0) (global.get $text) (local.get $size)) (local.get $size))
      (then (return (i32.const 3))))

    ;; down to the line
    (local.set $at (global.get $text))
    (block $found (loop $down
      (br_if $found (i32.eqz (local.get $line)))
      (local.set $at (call $next_line (local.get $at)))
      (local.set $line (i32.sub (local.get $line) (i32.const 1)))
      (br $down)))
    (global.set $line_start (local.get $at))
    ;; right to the character, which is counted in UTF-16 units
    (block $found (loop $right
      (br_if $found (i32.ge_u (local.get $at) (global.get $end)))
      (local.set $units (call $units (local.get $at) (i32.add (local.get $at) (i32.const 1))))
      (br_if $found (i32.gt_u (local.get $units) (local.get $character)))
      (local.set $character (i32.sub (local.get $character) (local.get $units)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $right)))
    ;; and to both ends of the word
    (global.set $word (local.get $at))
    (block $found (loop $left
      (br_if $found (i32.le_u (global.get $word) (global.get $text)))
      (br_if $found (i32.eqz (call $is_letter (i32.sub (global.get $word) (i32.const 1)))))
      (global.set $word (i32.sub (global.get $word) (i32.const 1)))
      (br $left)))
    (global.set $word_end (call $end_of_word (local.get $at)))
    (i32.const 0))

  ;; Is the byte at p a letter, a digit or an underscore? Past the end nothing is.
  (func $is_letter (param $p i32) (result i32)
    (local $c i32)
    (if (i32.ge_u (local.get $p) (global.get $end)) (then (return (i32.const 0))))
    (local.set $c (i32.load8_u (local.get $p)))
    (i32.or
      (i32.or
        (i32.lt_u (i32.sub (i32.or (local.get $c) (i32.const 32)) (i32.const 97)) (i32.const 26))
        (i32.lt_u (i32.sub (local.get $c) (i32.const 48)) (i32.const 10)))
      (i32.eq (local.get $c) (i32.const 95))))

  (func $end_of_word (param $p i32) (result i32)
    (loop $on
      (if (call $is_letter (local.get $p)) (then
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (br $on))))
    (local.get $p))

  ;; The first line break from p on, or the end of the text.
  (func $end_of_line (param $p i32) (result i32)
    (block $found (loop $on
      (br_if $found (i32.ge_u (local.get $p) (global.get $end)))
      (br_if $found (i32.eq (i32.load8_u (local.get $p)) (i32.const 10)))
      (br_if $found (i32.eq (i32.load8_u (local.get $p)) (i32.const 13)))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (br $on)))
    (local.get $p))

  ;; The start of the line after the one at p. A break is "\n", "\r\n" or "\r".
  (func $next_line (param $p i32) (result i32)
    (local.set $p (call $end_of_line (local.get $p)))
    (if (i32.ge_u (local.get $p) (global.get $end)) (then (return (local.get $p))))
    (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 13)) (then
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (if (i32.ge_u (local.get $p) (global.get $end)) (then (return (local.get $p))))
      (if (i32.ne (i32.load8_u (local.get $p)) (i32.const 10)) (then (return (local.get $p))))))
    (i32.add (local.get $p) (i32.const 1)))

  ;; UTF-16 units of the bytes from p to q: one for each character, two from U+10000 on.
  (func $units (param $p i32) (param $q i32) (result i32)
    (local $c i32) (local $units i32)
    (block $done (loop $on
      (br_if $done (i32.ge_u (local.get $p) (local.get $q)))
      (local.set $c (i32.load8_u (local.get $p)))
      (local.set $units (i32.add (local.get $units)
        (i32.add
          (i32.ne (i32.and (local.get $c) (i32.const 0xc0)) (i32.const 0x80))
          (i32.ge_u (local.get $c) (i32.const 0xf0)))))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (br $on)))
    (local.get $units))

  ;; Do the bytes at p equal the size bytes at q?
  (func $equal (param $p i32) (param $q i32) (param $size i32) (result i32)
    (if (i32.gt_u (i32.add (local.get $p) (local.get $size)) (global.get $end))
      (then (return (i32.const 0))))
    (loop $on
      (if (i32.eqz (local.get $size)) (then (return (i32.const 1))))
      (local.set $size (i32.sub (local.get $size) (i32.const 1)))
      (br_if $on (i32.eq
        (i32.load8_u (i32.add (local.get $p) (local.get $size)))
        (i32.load8_u (i32.add (local.get $q) (local.get $size))))))
    (i32.const 0))

  ;; Does the asked word, and no longer one, begin at p?
  (func $is_asked (param $p i32) (result i32)
    (local $size i32)
    (local.set $size (i32.sub (global.get $word_end) (global.get $word)))
    (if (i32.eqz (call $equal (local.get $p) (global.get $word) (local.get $size)))
      (then (return (i32.const 0))))
    (i32.eqz (call $is_letter (i32.add (local.get $p) (local.get $size)))))

  ;; Hands over the asked word at p, which stands in the line that begins at start.
  (func $hand_over (param $line i32) (param $start i32) (param $p i32)
    (local $size i32)
    (local.set $size (i32.sub (global.get $word_end) (global.get $word)))
    (i32.store (i32.const 0) (i32.const 128))
    (i32.store (i32.const 4) (global.get $path_size))
    (i32.store (i32.const 8) (local.get $line))
    (i32.store (i32.const 12) (call $units (local.get $start) (local.get $p)))
    (i32.store (i32.const 16) (local.get $line))
    (i32.store (i32.const 20) (i32.add (i32.load (i32.const 12)) (local.get $size)))
    (call $locations (i32.const 0) (i32.const 1)))

  ;; Finds the lines that are a keyword and the asked word: all of them are handed over, or
  ;; the first, or the text of the first as a hover.
  (func $declarations (param $keyword i32) (param $size i32) (param $all i32) (param $hover i32)
    (local $line i32) (local $start i32) (local $name i32)
    (if (i32.eq (global.get $word) (global.get $word_end)) (then (return)))
    (local.set $start (global.get $text))
    (loop $on
      (local.set $name (i32.add (local.get $start) (local.get $size)))
      (if (call $equal (local.get $start) (local.get $keyword) (local.get $size)) (then
        (if (call $is_asked (local.get $name)) (then
          (if (local.get $hover)
            (then (call $hover_text (local.get $start)
              (i32.sub (call $end_of_line (local.get $start)) (local.get $start))))
            (else (call $hand_over (local.get $line) (local.get $start) (local.get $name))))
          (if (i32.eqz (local.get $all)) (then (return)))))))
      (local.set $start (call $next_line (local.get $start)))
      (local.set $line (i32.add (local.get $line) (i32.const 1)))
      (br_if $on (i32.lt_u (local.get $start) (global.get $end)))))

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (local $status i32)
    (local.set $status (call $ask (local.get $line) (local.get $character)))
    (if (i32.eqz (local.get $status)) (then
      (call $declarations (i32.const 32) (i32.const 4) (i32.const 0) (i32.const 0))))
    (local.get $status))

  (func (export "goToImplementation") (param $line i32) (param $character i32) (result i32)
    (local $status i32)
    (local.set $status (call $ask (local.get $line) (local.get $character)))
    (if (i32.eqz (local.get $status)) (then
      (call $declarations (i32.const 36) (i32.const 5) (i32.const 1) (i32.const 0))))
    (local.get $status))

  ;; The range of a hover is that of the asked word.
  (func (export "hover") (param $line i32) (param $character i32) (result i32)
    (local $status i32)
    (local.set $status (call $ask (local.get $line) (local.get $character)))
    (if (local.get $status) (then (return (local.get $status))))
    (call $declarations (i32.const 32) (i32.const 4) (i32.const 0) (i32.const 1))
    (call $hover_range
      (local.get $line) (call $units (global.get $line_start) (global.get $word))
      (local.get $line) (call $units (global.get $line_start) (global.get $word_end)))
    (i32.const 0))

  (func (export "findReferences") (param $line i32) (param $character i32) (result i32)
    (local $status i32) (local $start i32) (local $p i32)
    (local.set $status (call $ask (local.get $line) (local.get $character)))
    (if (local.get $status) (then (return (local.get $status))))
    (if (i32.eq (global.get $word) (global.get $word_end)) (then (return (i32.const 0))))
    (local.set $line (i32.const 0))
    (local.set $start (global.get $text))
    (local.set $p (global.get $text))
    (block $done (loop $on
      (br_if $done (i32.ge_u (local.get $p) (global.get $end)))
      (if (call $is_letter (local.get $p))
        (then ;; the start of a word: the one before was passed whole
          (if (call $is_asked (local.get $p)) (then
            (call $hand_over (local.get $line) (local.get $start) (local.get $p))))
          (local.set $p (call $end_of_word (local.get $p))))
        (else
          (if (i32.eq (call $end_of_line (local.get $p)) (local.get $p))
            (then
              (local.set $p (call $next_line (local.get $p)))
              (local.set $start (local.get $p))
              (local.set $line (i32.add (local.get $line) (i32.const 1))))
            (else (local.set $p (i32.add (local.get $p) (i32.const 1)))))))
      (br $on)))
    (i32.const 0)))
