;; Needs the grant "files". Asks for the size of the path that its config says and hands over the
;; result, and 100 plus the kind where there is one. Nothing outside its mounts is told of.
(module
  (import "navseam_v1" "config" (func $config (param i32 i32) (result i32)))
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (import "navseam_v1" "file_stat" (func $file_stat (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (local $result i32)
    (global.set $used (i32.const 1))
    (local.set $result (call $file_stat (i32.const 1025) (call $setting) (i32.const 2048)))
    (if (i32.eqz (local.get $result)) (then
      (local.set $result (i32.add (i32.const 100) (i32.load (i32.const 2064))))))
    (call $report (local.get $result))
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

  ;; The config is a text in quotes; returns its length without them. It lies at 1025.
  (func $setting (result i32)
    (i32.sub (call $config (i32.const 1024) (i32.const 1000)) (i32.const 2)))

  ;; findReferences hands over line 0 of a.toy from a fresh instance, line 1 from one that
  ;; has misbehaved.
  (global $used (mut i32) (i32.const 0))
  (data (i32.const 0) "a.toy")
  (data (i32.const 8) "\00\00\00\00\05\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00")
  (func (export "findReferences") (param i32 i32) (result i32)
    (i32.store (i32.const 16) (global.get $used))
    (call $locations (i32.const 8) (i32.const 1))
    (i32.const 0)))
