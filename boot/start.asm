; SPDX-License-Identifier: MIT
; boot/start.asm: from the boot loader to C.
;
; Multiboot (1 and 2) hands over in 32-bit protected mode without paging
; (Multiboot2 3.3). This file holds both headers, refuses a CPU without PAE in
; one sentence, builds the first tables, and jumps to 0xC0000000.
; Nothing here uses CMOV or any instruction younger than the 486.

KERNEL_BASE     equ 0xC0000000
LOWMEM_ENTRIES  equ 448                 ; 896 MiB in 2 MiB pages
PTE_P           equ 1
PTE_RW          equ 2
PTE_PS          equ 0x80

MB1_MAGIC       equ 0x1BADB002
MB1_FLAGS       equ 3                   ; modules on page boundaries, memory map
MB2_MAGIC       equ 0xE85250D6

section .multiboot align=8
multiboot1_header:
	dd MB1_MAGIC, MB1_FLAGS, -(MB1_MAGIC + MB1_FLAGS)
	align 8
multiboot2_header:
	dd MB2_MAGIC, 0, .end - multiboot2_header
	dd -(MB2_MAGIC + (.end - multiboot2_header))
	dw 6, 0                         ; tag: modules on page boundaries
	dd 8
	dw 0, 0                         ; end tag
	dd 8
.end:

section .boot.text
bits 32
global _start
_start:
	cli
	cld
	mov esp, boot_stack_end - KERNEL_BASE
	mov esi, eax                    ; the loader's magic
	mov edi, ebx                    ; its information block
	call require_pae
	call build_tables
	mov eax, cr4
	or eax, 1 << 5                  ; PAE
	mov cr4, eax
	mov eax, boot_pdpt - KERNEL_BASE
	mov cr3, eax
	mov eax, cr0
	or eax, 1 << 31                 ; PG
	mov cr0, eax
	mov eax, high
	jmp eax

; CPUID exists if EFLAGS.ID can be flipped (SDM vol. 1, 20.1); PAE is EDX bit 6 of leaf 1.
require_pae:
	pushfd
	pop eax
	mov ecx, eax
	xor eax, 1 << 21
	push eax
	popfd
	pushfd
	pop eax
	push ecx
	popfd
	xor eax, ecx
	test eax, 1 << 21
	jz refuse
	mov eax, 1
	cpuid
	test edx, 1 << 6
	jz refuse
	ret

; Says on VGA text and on the first serial line why this machine will not do, and halts.
refuse:
	mov ebp, no_pae
	mov edi, 0xB8000
.next:
	mov al, [ebp]
	test al, al
	jz .halt
	mov ah, 0x4F
	mov [edi], ax
	add edi, 2
	call serial_put
	inc ebp
	jmp .next
.halt:
	mov al, 10
	call serial_put
	mov al, 0x10                    ; QEMU's isa-debug-exit: a clean end
	mov dx, 0xF4
	out dx, al
.stop:
	hlt
	jmp .stop

serial_put:
	mov bl, al
	mov ecx, 100000                 ; a line that never drains must not hang us
.wait:
	mov dx, 0x3FD
	in al, dx
	test al, 0x20
	jnz .send
	dec ecx
	jnz .wait
.send:
	mov dx, 0x3F8
	mov al, bl
	out dx, al
	ret

; Lowmem by 2 MiB pages at 0xC0000000, and for the jump the same at 0.
build_tables:
	mov edx, boot_pmd - KERNEL_BASE
	mov eax, PTE_P | PTE_RW | PTE_PS
	mov ecx, LOWMEM_ENTRIES
.fill:
	mov [edx], eax
	mov dword [edx + 4], 0
	add eax, 2 << 20
	add edx, 8
	dec ecx
	jnz .fill
	mov eax, boot_pmd - KERNEL_BASE + PTE_P
	mov [boot_pdpt - KERNEL_BASE], eax
	mov [boot_pdpt - KERNEL_BASE + 24], eax
	ret

section .boot.data
no_pae: db "Tablefork needs a CPU with PAE (a Pentium Pro or later); this one has none. Halted.", 0

section .text
extern kmain
global kernel_pdpt, kernel_pmd
high:
	mov esp, boot_stack_end
	xor ebp, ebp
	mov dword [boot_pdpt], 0        ; the identity mapping has done its work
	mov eax, cr3
	mov cr3, eax
	mov edx, edi                    ; regparm(3): kmain(magic, info)
	mov eax, esi
	call kmain
.stop:
	cli
	hlt
	jmp .stop

section .bss
alignb 4096
boot_pmd:
kernel_pmd:     resb 4096
alignb 32
boot_pdpt:
kernel_pdpt:    resb 32
alignb 4096
global boot_stack
boot_stack:     resb 8192
boot_stack_end:
