;; The line of the question chooses a pointer and a length from the table, its character a function
;; of WASI that writes or reads there. No instance is harmed: outside the memory, the function says
;; EFAULT.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock_time_get (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  ;; pointer, length
  (data (i32.const 1024) "\ff\ff\00\00\02\00\00\00") ;; 0: 0xffff, 0x2
  (data (i32.const 1032) "\ff\ff\ff\ff\02\00\00\00") ;; 1: 0xffffffff, 0x2
  (data (i32.const 1040) "\00\00\00\80\01\00\00\00") ;; 2: 0x80000000, 0x1
  (data (i32.const 1048) "\fe\ff\00\00\ff\ff\ff\7f") ;; 3: 0xfffe, 0x7fffffff

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (global.set $used (i32.const 1))
    (block $random (block $clock (block $write (block $environ (block $poll
      (br_table $random $clock $write $environ $poll (local.get $character)))
      ;; poll_oneoff
      (call $report (call $poll_oneoff (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3))) (i32.const 128) (i32.const 1) (i32.const 176)))
      (return (i32.const 0)))
      ;; environ_sizes_get
      (call $report (call $environ_sizes_get (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3))) (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3)))))
      (return (i32.const 0)))
      ;; fd_write of one stretch
      (i32.store (i32.const 64) (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3))))
      (i32.store (i32.const 68) (i32.load offset=1028 (i32.shl (local.get $line) (i32.const 3))))
      (call $report (call $fd_write (i32.const 1) (i32.const 64) (i32.const 1) (i32.const 96)))
      (return (i32.const 0)))
      ;; clock_time_get
      (call $report (call $clock_time_get (i32.const 1) (i64.const 0) (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3)))))
      (return (i32.const 0)))
    ;; random_get
    (call $report (call $random_get (i32.load offset=1024 (i32.shl (local.get $line) (i32.const 3))) (i32.load offset=1028 (i32.shl (local.get $line) (i32.const 3)))))
    (i32.const 0))

  ;; Hands over what an import returned: that line, character 0; of a negative result its
  ;; absolute value, character 1.
  (func $report (param $result i32)
    (local $negative i32)
    (local.set $negative (i32.lt_s (local.get $result) (i32.const 0)))
    (if (local.get $negative) (then
      (local.set $result (i32.sub (i32.const 0) (local.get $result)))))
    (i32.store (i32.const 36) (i32.const 5))
    (i32.store (i32.const 40) (local.get $result))
    (i32.store (i32.const 44) (local.get $negative))
    (i32.store (i32.const 48) (local.get $result))
    (i32.store (i32.const 52) (local.get $negative))
    (call $locations (i32.const 32) (i32.const 1)))

  ;; findReferences hands over line 0 of a.toy from a fresh instance, line 1 from one that
  ;; has misbehaved.
  (global $used (mut i32) (i32.const 0))
  (data (i32.const 0) "a.toy")
  (data (i32.const 8) "\00\00\00\00\05\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00")
  (func (export "findReferences") (param i32 i32) (result i32)
    (i32.store (i32.const 16) (global.get $used))
    (call $locations (i32.const 8) (i32.const 1))
    (i32.const 0)))
