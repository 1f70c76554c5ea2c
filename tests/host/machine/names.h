/* SPDX-License-Identifier: MIT */
/*
 * names.h: included before everything else by -include: the kernel's string
 * and division functions get names of their own, beside the host libraries'.
 */
#pragma once

#define memcpy       tf_memcpy
#define memmove      tf_memmove
#define memset       tf_memset
#define memcmp       tf_memcmp
#define strlen       tf_strlen
#define strnlen      tf_strnlen
#define strcmp       tf_strcmp
#define strncmp      tf_strncmp
#define strchr       tf_strchr
#define strrchr      tf_strrchr
#define strlcpy      tf_strlcpy
#define snprintf     tf_snprintf
#define vsnprintf    tf_vsnprintf
#define __udivmoddi4 tf_udivmoddi4
#define __udivdi3    tf_udivdi3
#define __umoddi3    tf_umoddi3
#define __divdi3     tf_divdi3
#define __moddi3     tf_moddi3
