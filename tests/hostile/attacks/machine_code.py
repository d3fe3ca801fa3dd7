# EXPECT: could_not_run
# FAMILY: kernel surface
# STOPPED: 4 system-call filter
# MACHINE: x86_64
# NOTE: int 0x80 reaches the 32-bit call table, where other numbers mean other calls: killed
import ctypes, mmap

page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b80b000000cd80c3"))  # mov eax, 11 (execve there); int 0x80; ret
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print("int 0x80 returned", call())
print("LEAK 32-bit calls")


def pe(n, d):
    return good(n, d)
