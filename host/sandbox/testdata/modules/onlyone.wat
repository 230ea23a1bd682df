;; Loads once in a workspace: a second instance fails in load. hover takes 200 ms.
(module
  (import "navseam_v1" "cache_get" (func $get (param i32 i32 i32 i32) (result i32)))
  (import "navseam_v1" "cache_put" (func $put (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "navseam_v1" "hover" (func $hover (param i32 i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "\01") ;; the subscription at 0: clock 1
  (data (i32.const 256) "the one")
  (func (export "load") (result i32)
    (if (i32.ge_s (call $get (i32.const 256) (i32.const 7) (i32.const 0) (i32.const 0)) (i32.const 0))
      (then (return (i32.const 3))))
    (call $put (i32.const 256) (i32.const 7) (i32.const 256) (i32.const 7)))
  (func (export "hover") (param i32 i32) (result i32)
    (i64.store (i32.const 24) (i64.const 200000000))
    (drop (call $poll (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128)))
    (call $hover (i32.const 256) (i32.const 7))
    (i32.const 0)))
