# Builds the user programs and stages the guest's root. Included by the root
# Makefile, which may set CROSS (tool prefix), B (build folder) and SYSROOT
# (Debian's i386 musl, unpacked).
#
#   user       everything below $(B)/root
#   workload   the patch scripts' tree and patches below $(B)/workload

CROSS    ?= i686-linux-gnu-
B        ?= build
SYSROOT  ?= $(B)/sysroot

U_CC     := $(CROSS)gcc
U_LIBDIR := $(SYSROOT)/usr/lib/i386-linux-musl
# Asked when first used: before the set-up there may be no compiler to ask.
U_GCCINC = $(eval U_GCCINC := $(shell $(U_CC) -print-file-name=include))$(U_GCCINC)
U_LIBGCC = $(eval U_LIBGCC := $(shell $(U_CC) -print-libgcc-file-name))$(U_LIBGCC)
U_FLAGS   = -std=c11 -D_GNU_SOURCE -O2 -march=i486 -mtune=i686 -g0 -ffunction-sections -fdata-sections -Wall -Wextra -Wno-sign-compare \
            -fno-pie -fno-stack-protector -fno-asynchronous-unwind-tables \
            -ffile-prefix-map=$(CURDIR)=. -nostdinc -isystem $(SYSROOT)/usr/include/i386-linux-musl \
            -isystem $(U_GCCINC) -I.
U_LINK   := -nostdlib -no-pie -Wl,--build-id=none,-z,noexecstack,-z,norelro,--hash-style=gnu
U_CRT    := $(U_LIBDIR)/crt1.o $(U_LIBDIR)/crti.o
U_CRTN   := $(U_LIBDIR)/crtn.o
U_O      := $(B)/user
U_ROOT   := $(B)/root

# Programs of one file each. Those named in U_SHARED define NAME_main, because
# the shell has them built in as well.
U_SHARED := echo printf test kill
U_ALONE  := $(filter-out $(U_SHARED) lib tree,$(basename $(notdir $(wildcard user/*.c))))
U_PROGS  := sh $(U_SHARED) $(U_ALONE)
U_SCRIPTS := $(filter-out %.md,$(notdir $(wildcard user/patchscripts/*)))
U_TESTS  := $(basename $(notdir $(wildcard tests/user/*.c)))

U_COMMON := $(U_O)/lib.o $(U_O)/tree.o
U_SHOBJ  := $(patsubst user/sh/%.c,$(U_O)/sh/%.o,$(wildcard user/sh/*.c)) \
            $(patsubst %,$(U_O)/sh/b_%.o,$(U_SHARED)) $(U_COMMON)

U_DYN    := $(patsubst %,$(U_ROOT)/bin/%,$(U_PROGS))
U_STATIC := $(patsubst %,$(U_ROOT)/static/bin/%,$(U_PROGS))
U_TBIN   := $(patsubst %,$(U_ROOT)/tests/%,$(U_TESTS))

.PHONY: user workload
user: $(U_DYN) $(U_STATIC) $(U_TBIN) $(U_ROOT)/.staged

$(U_O)/%.o: user/%.c user/lib.h | $(B)/.setup
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(U_CC) $(U_FLAGS) -c -o $@ $<

$(U_O)/sh/%.o: user/sh/%.c user/sh/sh.h user/lib.h | $(B)/.setup
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(U_CC) $(U_FLAGS) -c -o $@ $<

$(U_O)/sh/b_%.o: user/%.c user/lib.h | $(B)/.setup
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(U_CC) $(U_FLAGS) -DBUILTIN -c -o $@ $<

define u_program
$(U_ROOT)/bin/$(1): $(2) $(U_ROOT)/lib/ld-musl-i386.so.1
	@mkdir -p $$(@D)
	@$(U_CC) $(U_LINK) -Wl,-dynamic-linker,/lib/ld-musl-i386.so.1 -s -o $$@ $(U_CRT) $(2) \
		-L$(SYSROOT)/lib/i386-linux-musl -l:libc.so $$(U_LIBGCC) $(U_CRTN)
$(U_ROOT)/static/bin/$(1): $(2)
	@mkdir -p $$(@D)
	@$(U_CC) $(U_LINK) -static -s -Wl,--gc-sections -o $$@ $(U_CRT) $(2) -Wl,--start-group \
		$(U_LIBDIR)/libc.a $$(U_LIBGCC) -Wl,--end-group $(U_CRTN)
endef
$(foreach p,$(U_SHARED) $(U_ALONE),$(eval $(call u_program,$(p),$(U_O)/$(p).o $(U_COMMON))))
$(eval $(call u_program,sh,$(U_SHOBJ)))

# The interpreter is musl's libc itself, which answers to the name libc.so that
# programs ask for, without looking at the disk.
$(SYSROOT)/lib/i386-linux-musl/libc.so: | $(B)/.setup
$(U_ROOT)/lib/ld-musl-i386.so.1: $(SYSROOT)/lib/i386-linux-musl/libc.so
	@mkdir -p $(@D)
	@cp $< $@
	@chmod 755 $@

.PRECIOUS: $(U_O)/tests/%.o
$(U_O)/tests/%.o: tests/user/%.c tests/user/tap.h | $(B)/.setup
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(U_CC) $(U_FLAGS) -O1 -fno-builtin -c -o $@ $<

$(U_ROOT)/tests/%: $(U_O)/tests/%.o
	@mkdir -p $(@D)
	@$(U_CC) $(U_LINK) -static -s -o $@ $(U_CRT) $< -Wl,--start-group \
		$(U_LIBDIR)/libc.a $(U_LIBGCC) -Wl,--end-group $(U_CRTN)

$(U_ROOT)/.staged: $(wildcard user/patchscripts/* user/etc/*) tests/user/run-all.sh user/rules.mk
	@mkdir -p $(U_ROOT)/bin $(U_ROOT)/etc $(U_ROOT)/tmp $(U_ROOT)/tests $(U_ROOT)/root
	@chmod 1777 $(U_ROOT)/tmp
	@set -e; for s in $(U_SCRIPTS); do \
		cp user/patchscripts/$$s $(U_ROOT)/bin/$$s; chmod 755 $(U_ROOT)/bin/$$s; done
	@cp tests/user/run-all.sh $(U_ROOT)/bin/runtests && chmod 755 $(U_ROOT)/bin/runtests
	@cp user/etc/* $(U_ROOT)/etc/
	@ln -sf test '$(U_ROOT)/bin/['
	@touch $@

workload: $(B)/workload/.done
$(B)/workload/.done: tests/workload/generate.py
	@rm -rf $(B)/workload
	@/usr/bin/python3 tests/workload/generate.py $(B)/workload/work
	@touch $@
