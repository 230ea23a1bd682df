;; Closes the descriptor that the line of the question says. Unknown ones are EBADF; what others
;; close harms nobody.
(module
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "wasi_snapshot_preview1" "fd_close" (func $fd_close (param i32) (result i32)))
  (memory (export "memory") 1)

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (global.set $used (i32.const 1))
    (call $report (call $fd_close (local.get $line)))
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
