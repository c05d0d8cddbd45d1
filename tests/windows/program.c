/* What a graded program may do, for tests of `grade` and `audit` on Windows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

/* Starts this program again with one argument, detached from it. */
static void start(const char *argument) {
    char path[MAX_PATH], line[MAX_PATH + 32];
    GetModuleFileNameA(NULL, path, sizeof path);
    snprintf(line, sizeof line, "\"%s\" %s", path, argument);
    STARTUPINFOA startup = {.cb = sizeof startup};
    PROCESS_INFORMATION started;
    DWORD flags = CREATE_NEW_PROCESS_GROUP | DETACHED_PROCESS;
    if (!CreateProcessA(NULL, line, NULL, NULL, FALSE, flags, NULL, NULL, &startup, &started))
        exit(9);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    char line[256];
    if (!strcmp(what, "zero")) { /* a heuristic: a value for each board */
        while (fgets(line, sizeof line, stdin)) {
            puts("0");
            fflush(stdout);
        }
    } else if (!strcmp(what, "sleep")) {
        Sleep(600000);
    } else if (!strcmp(what, "many")) { /* starts 8 processes and does not end */
        for (int i = 0; i < 8; i++)
            start("sleep");
        Sleep(600000);
    } else if (!strcmp(what, "leave")) { /* starts a process and ends with an answer */
        start("sleep");
        puts("R");
    } else if (!strcmp(what, "flock")) { /* starts more processes than the limit */
        for (int i = 0; i < 300; i++)
            start("sleep");
        Sleep(600000);
    } else if (!strcmp(what, "grow")) { /* touches all the memory there is */
        for (;;) {
            char *block = malloc(1 << 24);
            if (block)
                memset(block, 1, 1 << 24);
        }
    } else if (!strcmp(what, "flood")) {
        static char block[1 << 16];
        memset(block, 'R', sizeof block);
        while (fwrite(block, 1, sizeof block, stdout))
            ;
    } else if (!strcmp(what, "crash")) {
        TerminateProcess(GetCurrentProcess(), 0xC0000005);
    }
    return 0;
}
