/* Wine before 9 has no bcryptprimitives.dll, from which the Rust standard library takes random numbers. */
#include <windows.h>
#include <ntsecapi.h> /* RtlGenRandom is SystemFunction036 */
__declspec(dllexport) BOOL ProcessPrng(PUCHAR data, SIZE_T length) {
    return RtlGenRandom(data, (ULONG)length);
}
