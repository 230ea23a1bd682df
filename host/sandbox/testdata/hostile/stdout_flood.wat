;; Writes 100,000 lines to stdout. Most are dropped, nothing reaches the stdout of the host, and
;; the answer, an empty list, counts.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 64) "\80\00\00\00\06\00\00\00")
  (data (i32.const 128) "flood\n")

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (local $n i32)
    (global.set $used (i32.const 1))
    (local.set $n (i32.const 100000))
    (loop $on
      (drop (call $fd_write (i32.const 1) (i32.const 64) (i32.const 1) (i32.const 96)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br_if $on (local.get $n)))
    (i32.const 0))

  ;; findReferences hands over line 0 of a.toy from a fresh instance, line 1 from one that
  ;; has misbehaved.
  (global $used (mut i32) (i32.const 0))
  (data (i32.const 0) "a.toy")
  (data (i32.const 8) "\00\00\00\00\05\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00")
  (func (export "findReferences") (param i32 i32) (result i32)
    (i32.store (i32.const 16) (global.get $used))
    (call $locations (i32.const 8) (i32.const 1))
    (i32.const 0)))
