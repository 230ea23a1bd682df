//go:build !linux

package process_test

func spawnHelper(string) {}

func helperHost([]string) int { return 2 }
