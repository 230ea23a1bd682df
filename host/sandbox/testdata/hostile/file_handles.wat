;; Needs the grant "files". Opens a file 65 times and closes none: the last time it gets -3. Then
;; it uses handles that it was never given: -6 each.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "navseam_v1" "file_open" (func $file_open (param i32 i32) (result i32)))
  (import "navseam_v1" "file_size" (func $file_size (param i32) (result i64)))
  (import "navseam_v1" "file_read" (func $file_read (param i32 i64 i32 i32) (result i32)))
  (import "navseam_v1" "file_close" (func $file_close (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 64) "workspace/a.toy")

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (local $file i32)
    (global.set $used (i32.const 1))
    (if (local.get $line) (then
      (block $size (block $close (block $read
        (br_table $read $close $size (i32.sub (local.get $line) (i32.const 1))))
        (call $report (call $file_read (local.get $character) (i64.const 0) (i32.const 2048) (i32.const 100)))
        (return (i32.const 0)))
        (call $file_close (local.get $character))
        (return (i32.const 0)))
      (call $report (i32.wrap_i64 (call $file_size (local.get $character))))
      (return (i32.const 0))))
    (loop $on
      (local.set $file (call $file_open (i32.const 64) (i32.const 15)))
      (br_if $on (i32.gt_s (local.get $file) (i32.const 0))))
    (call $report (local.get $file))
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
