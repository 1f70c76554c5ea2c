# Makefile: the verbs. Everything built lies under build/.
#
# CROSS=  the compiler's prefix (any i686-elf- will do)
CROSS ?= i686-linux-gnu-
B := build
CC := $(CROSS)gcc
LD := $(CROSS)ld
NM := $(CROSS)nm

KERNEL_DIRS := lib arch/x86 core mm fs kernel tests/kernel
KERNEL_C := $(sort $(wildcard $(KERNEL_DIRS:%=%/*.c)))
KERNEL_ASM := $(sort $(wildcard boot/*.asm arch/x86/*.asm))
KERNEL_O := $(KERNEL_C:%.c=$(B)/%.o) $(KERNEL_ASM:%.asm=$(B)/%.asm.o)

# Code only for the Pentium Pro and later runs behind boot/start.asm's check.
# -mregparm: arguments in registers, as arch/x86/entry.asm passes them.
# Frame pointers stay: backtraces and the stack sampler walk them.
KERNEL_CFLAGS := -std=gnu11 -ffreestanding -O2 -march=i686 -mgeneral-regs-only -mregparm=3 \
	-fno-pic -fno-pie -fno-omit-frame-pointer -fno-stack-protector -fno-strict-aliasing \
	-fno-asynchronous-unwind-tables -fcf-protection=none -fno-common -g \
	-Wall -Wextra -Wno-unused-parameter -I. -ffile-prefix-map=$(CURDIR)=. $(WERROR)

.PHONY: all help setup doctor kernel user run run-vga gdb iso compare bench test check format clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help:
	@echo 'make compare   run the patch scripts under each kernel of the thread; profiles and ratios'
	@echo 'make test      build and pass all tests (T=NAME chooses)'
	@echo 'make run       boot; serial console in this terminal, Ctrl-A X leaves (ADD=busybox adds Debian'"'"'s, APPEND="words")'
	@echo 'make run-vga   boot with a window'
	@echo 'make gdb       boot, stopped, with gdb on it'
	@echo 'make bench     instructions an operation, beside Linux'
	@echo 'make iso       build/tablefork.iso, for CD or disk'
	@echo 'make check     style, layers, sizes, static checks;   make format  puts the style right'
	@echo 'make doctor    the tools: found, needed, package;     make setup   installs them'
	@echo 'make compile_commands.json   for editors;             make clean'

setup:
	@tools/setup
# Whoever builds needs the tools first.
$(B)/.setup: tools/setup tools/packages.txt
	@tools/setup

doctor:
	@tools/doctor

all: kernel user
kernel: $(B)/tablefork.elf $(B)/System.map

$(KERNEL_O): | $(B)/.setup
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(CC) $(KERNEL_CFLAGS) -nostdinc -isystem $(shell $(CC) -print-file-name=include) -MMD -c $< -o $@
$(B)/%.asm.o: %.asm Makefile
	@mkdir -p $(@D)
	@echo '  NASM  $<'
	@nasm -f elf32 $< -o $@

# First without the function names, then with them; they lie last, so nothing moves.
$(B)/ksyms0.asm: | $(B)/.setup
	@mkdir -p $(@D)
	@printf 'section .ksyms align=4\nglobal ksyms_count, ksyms_addrs, ksyms_nameoffs, ksyms_names\nksyms_count:\nksyms_addrs:\nksyms_nameoffs:\nksyms_names: dd 0\n' > $@
$(B)/ksyms1.asm: $(B)/tablefork0.elf tools/ksyms
	@tools/ksyms $< $(NM) > $@
$(B)/ksyms0.o $(B)/ksyms1.o: %.o: %.asm
	@nasm -f elf32 $< -o $@
$(B)/tablefork0.elf: $(KERNEL_O) $(B)/ksyms0.o linker.ld
	@$(LD) -nostdlib -z noexecstack --no-warn-rwx-segments -T linker.ld -o $@ $(KERNEL_O) $(B)/ksyms0.o
$(B)/tablefork.elf: $(KERNEL_O) $(B)/ksyms1.o linker.ld
	@echo '  LD    $@'
	@$(LD) -nostdlib -z noexecstack --no-warn-rwx-segments -T linker.ld -o $@ $(KERNEL_O) $(B)/ksyms1.o
	@grub-file --is-x86-multiboot $@ && grub-file --is-x86-multiboot2 $@
$(B)/System.map: $(B)/tablefork.elf
	@$(NM) -n $< | grep -v ' [aNUw] ' > $@

-include $(KERNEL_O:.o=.d)

# The user programs and the root they live in: $(B)/root, packed as $(B)/root.cpio.
-include user/rules.mk
$(B)/root.cpio: user
	@tools/mkcpio $(B)/root $@
user: | $(B)/.setup

RUNNABLE := kernel $(B)/root.cpio

run: $(RUNNABLE)
	@tools/vm --accel tcg $(if $(ADD),--add $(ADD)) $(if $(MEM),--mem $(MEM)) $(if $(APPEND),--append "$(APPEND)")
run-vga: $(RUNNABLE)
	@tools/vm --accel tcg --vga $(if $(ADD),--add $(ADD)) $(if $(MEM),--mem $(MEM)) $(if $(APPEND),--append "$(APPEND)")
gdb: $(RUNNABLE)
	@tools/gdb $(if $(APPEND),--append "$(APPEND)")

iso: $(B)/tablefork.iso
$(B)/tablefork.iso: $(RUNNABLE) tools/mkiso tools/configs.tsv
	@tools/mkiso $@

compare: $(RUNNABLE) workload
	@tools/compare
bench: $(RUNNABLE)
	@tools/bench
test: $(RUNNABLE) $(B)/tablefork.iso workload
	@tools/test $(T)

check: | $(B)/.setup
	@tools/check
format: | $(B)/.setup
	@git ls-files '*.[ch]' ':!tests/bench' | xargs clang-format -i

compile_commands.json: $(KERNEL_C)
	@tools/compile-commands '$(CC) $(KERNEL_CFLAGS)' $(KERNEL_C) > $@

clean:
	rm -rf $(B)

-include tests/host/rules.mk
host-tests:
