// SPDX-License-Identifier: MIT
/* lib/printf.c: vsnprintf for the kernel; one struct carries the state of one conversion. */
#include "lib/printf.h"
#include "lib/string.h"

struct out {
	char *buf;
	size_t size, len;
};

struct spec {
	bool left, zero;
	int width, precision; /* precision < 0: none given */
	int size;             /* 0 int, 1 long, 2 long long */
};

static void put(struct out *o, char c)
{
	if (o->len + 1 < o->size)
		o->buf[o->len] = c;
	o->len++;
}

static void pad(struct out *o, char c, int n)
{
	while (n-- > 0)
		put(o, c);
}

static void put_text(struct out *o, const struct spec *s, const char *text)
{
	int n = s->precision < 0 ? (int)strlen(text) : (int)strnlen(text, s->precision);

	if (!s->left)
		pad(o, ' ', s->width - n);
	for (int i = 0; i < n; i++)
		put(o, text[i]);
	if (s->left)
		pad(o, ' ', s->width - n);
}

static void put_number(struct out *o, struct spec *s, u64 v, u32 base, char sign, bool upper)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char digits[24];
	int n = 0, zeros;

	do {
		digits[n++] = set[v % base];
		v /= base;
	} while (v);
	zeros = max(s->precision - n, 0);
	if (s->zero && !s->left && s->precision < 0)
		zeros = max(s->width - n - (sign != 0), 0);
	if (!s->left)
		pad(o, ' ', s->width - n - zeros - (sign != 0));
	if (sign)
		put(o, sign);
	pad(o, '0', zeros);
	for (int i = n; i--;)
		put(o, digits[i]);
	if (s->left)
		pad(o, ' ', s->width - n - zeros - (sign != 0));
}

static const char *parse_spec(const char *f, struct spec *s, va_list *ap)
{
	*s = (struct spec){.precision = -1};
	for (;; f++) {
		if (*f == '-')
			s->left = true;
		else if (*f == '0')
			s->zero = true;
		else
			break;
	}
	if (*f == '*')
		s->width = va_arg(*ap, int), f++;
	else
		while (*f >= '0' && *f <= '9')
			s->width = s->width * 10 + *f++ - '0';
	if (*f == '.') {
		s->precision = 0;
		if (*++f == '*')
			s->precision = va_arg(*ap, int), f++;
		else
			while (*f >= '0' && *f <= '9')
				s->precision = s->precision * 10 + *f++ - '0';
	}
	for (; *f == 'l' || *f == 'h' || *f == 'z'; f++)
		s->size += *f == 'l';
	return f;
}

static u64 arg_unsigned(const struct spec *s, va_list *ap)
{
	return s->size > 1 ? va_arg(*ap, u64) : va_arg(*ap, unsigned int);
}

static void put_signed(struct out *o, struct spec *s, va_list *ap)
{
	s64 v = s->size > 1 ? va_arg(*ap, s64) : va_arg(*ap, int);

	put_number(o, s, v < 0 ? -(u64)v : (u64)v, 10, v < 0 ? '-' : 0, false);
}

static void convert(struct out *o, struct spec *s, char c, va_list *ap)
{
	char text[2] = "";

	switch (c) {
	case 'c':
		text[0] = va_arg(*ap, int);
		put_text(o, s, text);
		break;
	case 's': {
		const char *str = va_arg(*ap, const char *);

		put_text(o, s, str ? str : "(null)");
		break;
	}
	case 'd':
	case 'i': put_signed(o, s, ap); break;
	case 'u': put_number(o, s, arg_unsigned(s, ap), 10, 0, false); break;
	case 'o': put_number(o, s, arg_unsigned(s, ap), 8, 0, false); break;
	case 'x':
	case 'X': put_number(o, s, arg_unsigned(s, ap), 16, 0, c == 'X'); break;
	case 'p':
		s->precision = 8;
		put_number(o, s, (uintptr_t)va_arg(*ap, void *), 16, 0, false);
		break;
	default: put(o, c);
	}
}

int vsnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	struct out o = {buf, size, 0};
	struct spec s;
	va_list ap;

	va_copy(ap, args);
	for (; *fmt; fmt++) {
		if (*fmt != '%') {
			put(&o, *fmt);
			continue;
		}
		fmt = parse_spec(fmt + 1, &s, &ap);
		if (!*fmt)
			break;
		convert(&o, &s, *fmt, &ap);
	}
	va_end(ap);
	if (size)
		buf[min(o.len, size - 1)] = '\0';
	return o.len;
}

int snprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	return n;
}
