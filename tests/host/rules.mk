# Builds the host tests: lib/, mm/ and a few files of core/, unchanged, for this
# machine as 32-bit programs under the address and undefined-behaviour sanitizers.
# Included by the root Makefile, which may set B. CROSS does not matter here: the
# programs run on this machine and want a C library.
#
#   host-tests   $(B)/host/test_*, each a TAP program; words of names choose tests

B        ?= build

H_CC     ?= i686-linux-gnu-gcc
H_LIB    := /usr/i686-linux-gnu/lib
H_FLAGS  := -std=gnu11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -msse2 \
            -fno-strict-aliasing -fno-omit-frame-pointer -fno-toplevel-reorder -Wall -Wextra -Wno-unused-parameter $(WERROR) \
            -include tests/host/machine/names.h -Itests/host/machine -Itests/host -I.
H_LINK   := -fsanitize=address,undefined -Wl,--dynamic-linker=$(H_LIB)/ld-linux.so.2 -Wl,-rpath,$(H_LIB) \
            -Wl,--wrap=alloc_pages,--wrap=kmem_cache_alloc,--wrap=kmem_cache_zalloc,--wrap=kzalloc
# What needs the real machine stays out.
H_SKIP   := mm/init.c mm/kstack.c mm/uaccess.c
H_KERNEL := $(filter-out $(H_SKIP),$(wildcard lib/*.c mm/*.c)) core/count.c core/param.c
H_COMMON := $(H_KERNEL) $(wildcard tests/host/machine/*.c) tests/host/scene.c
H_TESTS  := $(wildcard tests/host/test_*.c)
H_O      := $(H_COMMON:%.c=$(B)/host/obj/%.o)
H_BIN    := $(H_TESTS:tests/host/%.c=$(B)/host/%)

.PHONY: host-tests
host-tests: $(H_BIN)

$(B)/host/obj/%.o: %.c tests/host/rules.mk
	@mkdir -p $(@D)
	@echo '  HOST  $<'
	@$(H_CC) $(H_FLAGS) -MMD -c $< -o $@
$(B)/host/test_%: $(B)/host/obj/tests/host/test_%.o $(H_O)
	@$(H_CC) $(H_LINK) $^ -o $@
.SECONDARY: $(H_O) $(H_TESTS:%.c=$(B)/host/obj/%.o)

-include $(H_O:.o=.d) $(H_TESTS:%.c=$(B)/host/obj/%.d)
