;; Spends its time: hover sleeps for ten seconds with poll_oneoff, or for as long as it may,
;; and then tells with which error the sleep ended; goToDefinition runs in circles.
(module
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (import "navseam_v1" "hover" (func $hover (param i32 i32)))
  (import "navseam_v1" "remaining_ms" (func $remaining (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "\01") ;; the subscription at 0: clock 1, for 10 s
  (func (export "hover") (param i32 i32) (result i32)
    (i64.store (i32.const 24) (i64.const 10000000000))
    (drop (call $poll (i32.const 0) (i32.const 64) (i32.const 1) (i32.const 128)))
    (i32.store8 (i32.const 256) (i32.add (i32.const 48) (i32.div_u (i32.load16_u (i32.const 72)) (i32.const 10))))
    (i32.store8 (i32.const 257) (i32.add (i32.const 48) (i32.rem_u (i32.load16_u (i32.const 72)) (i32.const 10))))
    (call $hover (i32.const 256) (i32.const 2))
    (i32.const 0))
  (func (export "goToDefinition") (param i32 i32) (result i32)
    (loop $on (br $on))
    (i32.const 0)))
