; SPDX-License-Identifier: MIT
; arch/x86/entry.asm: every way into the kernel after boot, the way out, and the
; switch from one task to another. The frame is struct regs of arch/x86/regs.h.

KERNEL_DS       equ 13 * 8
VECTOR_SYSCALL  equ 0x80

section .text
extern trap_hook, irq_hook, syscall_hook, double_fault, schedule_tail, bad_iret

%macro SAVE_ALL 0
	push es
	push ds
	push eax
	push ebp
	push edi
	push esi
	push edx
	push ecx
	push ebx
	mov edx, KERNEL_DS
	mov ds, edx
	mov es, edx
	cld
%endmacro

; An instruction of this kernel that may fault, and where to go then.
%macro FIXUP 2
section .ex_table
	dd %1, %2
section .text
%endmacro

global system_call
system_call:
	push eax                        ; regs.error: the call's number
	push dword VECTOR_SYSCALL
	SAVE_ALL
	mov eax, esp
	call [syscall_hook]
; The frame is complete and interrupts are off: back to where it says.
global ret_to_user
ret_to_user:
	pop ebx
	pop ecx
	pop edx
	pop esi
	pop edi
	pop ebp
	pop eax
.pop_ds: pop ds
.pop_es: pop es
	add esp, 8
.iret:	iret
; A selector or a frame that the CPU refuses is the user program's fault: it gets
; null selectors, or bad_iret kills it; the kernel's own frames are never refused.
.fix_ds:
	mov dword [esp], 0
	jmp .pop_ds
.fix_es:
	mov dword [esp], 0
	jmp .pop_es
.fix_iret:
	push dword 0
	push dword 13
	SAVE_ALL
	sti
	mov eax, esp
	call bad_iret
	jmp ret_to_user
FIXUP ret_to_user.pop_ds, ret_to_user.fix_ds
FIXUP ret_to_user.pop_es, ret_to_user.fix_es
FIXUP ret_to_user.iret, ret_to_user.fix_iret

common_trap:
	SAVE_ALL
	mov eax, esp
	call [trap_hook]
	jmp ret_to_user

common_irq:
	SAVE_ALL
	mov eax, esp
	call [irq_hook]
	jmp ret_to_user

; Vectors 8, 10-14 and 17 push an error code themselves (SDM vol. 3, 6.13).
%macro TRAP_STUB 1
trap_stub_%1:
%if !(%1 == 8 || (%1 >= 10 && %1 <= 14) || %1 == 17)
	push dword 0
%endif
	push dword %1
	jmp common_trap
%endmacro
%macro IRQ_STUB 1
irq_stub_%1:
	push dword 0
	push dword 0x20 + %1
	jmp common_irq
%endmacro

%assign i 0
%rep 32
	TRAP_STUB i
%assign i i+1
%endrep
%assign i 0
%rep 16
	IRQ_STUB i
%assign i i+1
%endrep

global double_fault_entry
double_fault_entry:
	call double_fault
	jmp $

; void switch_stacks(u32 *save_esp, u32 load_esp): regparm(3), eax and edx.
global switch_stacks
switch_stacks:
	push ebx
	push esi
	push edi
	push ebp
	mov [eax], esp
	mov esp, edx
	pop ebp
	pop edi
	pop esi
	pop ebx
	ret

; A new task's first instruction: its stack holds a complete frame.
global ret_from_fork
ret_from_fork:
	mov eax, esp
	call schedule_tail
	jmp ret_to_user

section .rodata
global trap_stubs, irq_stubs
align 4
trap_stubs:
%assign i 0
%rep 32
	dd trap_stub_%+i
%assign i i+1
%endrep
irq_stubs:
%assign i 0
%rep 16
	dd irq_stub_%+i
%assign i i+1
%endrep
