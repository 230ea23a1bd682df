;; Hands over a location with the path that its config says. Paths that lead out of the workspace,
;; or are none, fail the query with LSP_MALFORMED_RESPONSE.
(module
  (import "navseam_v1" "config" (func $config (param i32 i32) (result i32)))
  (import "navseam_v1" "locations" (func $locations (param i32 i32)))
  (memory (export "memory") 1)

  (func (export "goToDefinition") (param $line i32) (param $character i32) (result i32)
    (global.set $used (i32.const 1))
    (i32.store (i32.const 32) (i32.const 1025))
    (i32.store (i32.const 36) (call $setting))
    (call $locations (i32.const 32) (i32.const 1))
    (i32.const 0))

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
