;; The start function has the same host functions and memory as any call.
(module
  (import "host" "peek" (func $peek (param i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 9) "*")
  (global $seen (mut i32) (i32.const 0))
  (func $start (global.set $seen (call $peek (i32.const 9))))
  (start $start)
  (func (export "seen") (result i32) (global.get $seen)))
