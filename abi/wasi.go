package abi

// WASIFunctions returns every function of WASI preview 1. A module may import any of them;
// SPEC.md says which do something.
func WASIFunctions() []WASIFunction {
	return []WASIFunction{
		{"args_get", signature("ii:i")},
		{"args_sizes_get", signature("ii:i")},
		{"environ_get", signature("ii:i")},
		{"environ_sizes_get", signature("ii:i")},
		{"clock_res_get", signature("ii:i")},
		{"clock_time_get", signature("iIi:i")},
		{"fd_advise", signature("iIIi:i")},
		{"fd_allocate", signature("iII:i")},
		{"fd_close", signature("i:i")},
		{"fd_datasync", signature("i:i")},
		{"fd_fdstat_get", signature("ii:i")},
		{"fd_fdstat_set_flags", signature("ii:i")},
		{"fd_fdstat_set_rights", signature("iII:i")},
		{"fd_filestat_get", signature("ii:i")},
		{"fd_filestat_set_size", signature("iI:i")},
		{"fd_filestat_set_times", signature("iIIi:i")},
		{"fd_pread", signature("iiiIi:i")},
		{"fd_prestat_get", signature("ii:i")},
		{"fd_prestat_dir_name", signature("iii:i")},
		{"fd_pwrite", signature("iiiIi:i")},
		{"fd_read", signature("iiii:i")},
		{"fd_readdir", signature("iiiIi:i")},
		{"fd_renumber", signature("ii:i")},
		{"fd_seek", signature("iIii:i")},
		{"fd_sync", signature("i:i")},
		{"fd_tell", signature("ii:i")},
		{"fd_write", signature("iiii:i")},
		{"path_create_directory", signature("iii:i")},
		{"path_filestat_get", signature("iiiii:i")},
		{"path_filestat_set_times", signature("iiiiIIi:i")},
		{"path_link", signature("iiiiiii:i")},
		{"path_open", signature("iiiiiIIii:i")},
		{"path_readlink", signature("iiiiii:i")},
		{"path_remove_directory", signature("iii:i")},
		{"path_rename", signature("iiiiii:i")},
		{"path_symlink", signature("iiiii:i")},
		{"path_unlink_file", signature("iii:i")},
		{"poll_oneoff", signature("iiii:i")},
		{"proc_exit", signature("i:")},
		{"proc_raise", signature("i:i")},
		{"sched_yield", signature(":i")},
		{"random_get", signature("ii:i")},
		{"sock_accept", signature("iii:i")},
		{"sock_recv", signature("iiiiii:i")},
		{"sock_send", signature("iiiii:i")},
		{"sock_shutdown", signature("ii:i")},
	}
}

// WASIFunction is one function of preview 1.
type WASIFunction struct {
	Name      string
	Signature Signature
}
