# EXPECT: correct
# FAMILY: kernel surface
# STOPPED: 4 system-call filter
# MACHINE: x86_64
# NOTE: own machine code makes no more calls than Python does
import ctypes, mmap

page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b8390000000f05c3"))  # mov eax, 57 (fork); syscall; ret
call = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
result = call()
print("LEAK forked" if result >= 0 else "BLOCKED", result)


def pe(n, d):
    return good(n, d)
