;; What the tests call: arithmetic, host functions, memory, and calls without end.
(module
  (import "host" "sum" (func $sum (param i32 i64 f32 f64) (result i64)))
  (import "host" "peek" (func $peek (param i32) (result i32)))
  (import "host" "fail" (func $fail))
  (memory (export "memory") 1)
  (func (export "add") (param i32 i32) (result i32)
    (i32.add (local.get 0) (local.get 1)))
  (func (export "nothing"))
  (func (export "float") (param f64) (result f64)
    (f64.mul (local.get 0) (f64.const 2)))
  (func (export "sum") (param i32 i64 f32 f64) (result i64)
    (call $sum (local.get 0) (local.get 1) (local.get 2) (local.get 3)))
  ;; stores a byte and lets the host read it
  (func (export "peek") (param i32 i32) (result i32)
    (i32.store8 (local.get 0) (local.get 1))
    (call $peek (local.get 0)))
  ;; gives the host the lower half of a word, and says as an i64 whether what came back is zero
  (func (export "wrap") (param i64) (result i64)
    (if (result i64) (call $peek (i32.wrap_i64 (local.get 0))) (then (i64.const 0)) (else (i64.const 1))))
  (func (export "grow") (param i32) (result i32)
    (memory.grow (local.get 0)))
  ;; the unreachable must not hide what the host function did
  (func (export "fail")
    (call $fail)
    (unreachable))
  (func (export "loop")
    (loop $again (br $again)))
  ;; the empty loop is the check that the rewriter adds
  (func $recurse (export "recurse") (param i32) (result i32)
    (loop)
    (i32.add (i32.const 1) (call $recurse (local.get 0))))
  ;; a tree of calls that ends in years, without a deep stack
  (func $tree (export "tree") (param i32) (result i32)
    (loop)
    (if (result i32) (i32.eqz (local.get 0))
      (then (i32.const 1))
      (else (i32.add
        (call $tree (i32.sub (local.get 0) (i32.const 1)))
        (call $tree (i32.sub (local.get 0) (i32.const 1))))))))
