;; Takes 300 ms to load.
(module
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "navseam_v1" "hover" (func $hover (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "\01") ;; the subscription at 0: clock 1
  (data (i32.const 256) "loaded")
  (func (export "load") (result i32)
    (i64.store (i32.const 24) (i64.const 300000000))
    (call $poll (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128)))
  (func (export "hover") (param i32 i32) (result i32)
    (call $hover (i32.const 256) (i32.const 6))
    (i32.const 0)))
