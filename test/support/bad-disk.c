// A disk that fails when a test says so, and that forgets. Preloaded into a process of the service (bad-disk.ts).
//
//   BAD_DISK        a folder of the test. Each file `fault-*` in it is a fault: "<call> <errno> <how often> <part of a path>".
//                   A dollar is the end of the path. The call is sync, open or write; or, for kills, also synced (a sync has
//                   succeeded) or answer (a write to a TCP connection, whose path is "socket"). How often: "once" (the fault's
//                   file is removed by the call that it hits), "always", or a number: so many calls from now, in one process.
//                   The errno 0 kills the process.
//   BAD_DISK_UNDER  the data directory. Only files below it are watched.
//   BAD_DISK_SHARED whether several processes write below it. Then a sync keeps the whole file: it is of use to all of them.
//
// Every sync appends a line to `log`: "sync <path>", or "failed <path>". Beside that the disk keeps below `kept/` what a
// power cut would leave of each file: a sync that succeeds copies the pages that were written since the last one. A sync
// that fails forgets which these were, as Linux does: the next one has nothing to write, and succeeds.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096
#define PATH 1024

static const char *folder, *under;
static int is_shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct file {
  char path[PATH];
  unsigned char *dirty;
  size_t pages;
  struct file *next;
};
static struct file *files;

__attribute__((constructor)) static void start(void) {
  folder = getenv("BAD_DISK");
  under = getenv("BAD_DISK_UNDER");
  is_shared = getenv("BAD_DISK_SHARED") != NULL;
}

static int raw_open(const char *path, int flags, int mode) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static ssize_t raw_pwrite(int fd, const void *data, size_t length, off_t offset) {
  return syscall(SYS_pwrite64, fd, data, length, offset);
}

/** The path of an open file, if it is watched. */
static int path_of(int fd, char *path) {
  if (!folder || !under) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, under, strlen(under)) == 0;
}

/** A part that ends in a dollar is the end of the path. */
static int is_part(const char *path, const char *part) {
  size_t length = strlen(part), whole = strlen(path);
  if (!length || part[length - 1] != '$') return strstr(path, part) != NULL;
  return whole >= length - 1 && !strncmp(path + whole - (length - 1), part, length - 1);
}

static int fault(const char *call, const char *path) {
  DIR *dir = opendir(folder);
  if (!dir) return 0;
  int error = 0;
  for (struct dirent *entry; !error && (entry = readdir(dir));) {
    if (strncmp(entry->d_name, "fault-", 6)) continue;
    char name[PATH], text[PATH] = "", on[16], often[16], part[PATH];
    int number;
    snprintf(name, sizeof name, "%s/%.200s", folder, entry->d_name);
    int fd = raw_open(name, O_RDONLY, 0);
    if (fd < 0) continue;
    if (syscall(SYS_read, fd, text, sizeof text - 1) < 0) text[0] = 0;
    syscall(SYS_close, fd);
    if (sscanf(text, "%15s %d %15s %1023s", on, &number, often, part) != 4) continue;
    if (strcmp(on, call) || !is_part(path, part)) continue;
    // A test kills a process once, so one count will do.
    static int calls;
    if (atoi(often) && ++calls < atoi(often)) continue;
    if (!number) {
      unlink(name);
      kill(getpid(), SIGKILL);
    }
    // Only one call is hit: the one that removes it.
    if (!strcmp(often, "once") && unlink(name)) continue;
    error = number;
  }
  closedir(dir);
  return error;
}

static void note(const char *what, const char *path) {
  char name[PATH], line[PATH + 32];
  snprintf(name, sizeof name, "%s/log", folder);
  int fd = raw_open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);
  int length = snprintf(line, sizeof line, "%s %s\n", what, path);
  if (syscall(SYS_write, fd, line, length) < 0) abort();
  syscall(SYS_close, fd);
}

static struct file *file_of(const char *path) {
  for (struct file *file = files; file; file = file->next)
    if (!strcmp(file->path, path)) return file;
  struct file *file = calloc(1, sizeof *file);
  snprintf(file->path, PATH, "%s", path);
  file->next = files;
  return files = file;
}

static void written(int fd, off_t offset, size_t length) {
  char path[PATH];
  if (!length || !path_of(fd, path)) return;
  pthread_mutex_lock(&lock);
  struct file *file = file_of(path);
  size_t end = (offset + length - 1) / PAGE + 1;
  if (end > file->pages) {
    file->dirty = realloc(file->dirty, end * 2);
    memset(file->dirty + file->pages, 0, end * 2 - file->pages);
    file->pages = end * 2;
  }
  memset(file->dirty + offset / PAGE, 1, end - offset / PAGE);
  pthread_mutex_unlock(&lock);
}

/** What is kept of a file: below kept/, with its path from the data directory. */
static int kept(const char *path, int flags) {
  char name[PATH * 2];
  snprintf(name, sizeof name, "%s/kept%s", folder, path + strlen(under));
  for (char *slash = name + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(name, 0700);
    *slash = '/';
  }
  return raw_open(name, flags, 0600);
}

static int sync_file(int fd, const char *call) {
  char path[PATH];
  int (*real)(int) = dlsym(RTLD_NEXT, call);
  if (!path_of(fd, path)) return real(fd);
  struct stat info;
  pthread_mutex_lock(&lock);
  // Under the lock: what is kept is cut to this length, and another thread may keep more of the file meanwhile.
  int is_file = !fstat(fd, &info) && S_ISREG(info.st_mode);
  int error = fault("sync", path);
  struct file *file = is_file ? file_of(path) : NULL;
  if (!error && file) {
    int copy = kept(path, O_WRONLY | O_CREAT);
    if (is_shared && (flock(copy, LOCK_EX) || fstat(fd, &info))) abort();
    char page[PAGE];
    size_t pages = is_shared ? (size_t)(info.st_size + PAGE - 1) / PAGE : file->pages;
    for (size_t i = 0; i < pages; i++) {
      if (!is_shared && !file->dirty[i]) continue;
      ssize_t length = syscall(SYS_pread64, fd, page, PAGE, (off_t)i * PAGE);
      if (length > 0 && raw_pwrite(copy, page, length, (off_t)i * PAGE) != length) abort();
    }
    if (syscall(SYS_ftruncate, copy, info.st_size)) abort();
    syscall(SYS_close, copy);
  }
  if (file && file->dirty) memset(file->dirty, 0, file->pages);
  note(error ? "failed" : "sync", path);
  if (!error) fault("synced", path);
  pthread_mutex_unlock(&lock);
  if (!error) return 0;
  errno = error;
  return -1;
}

int fsync(int fd) { return sync_file(fd, "fsync"); }
int fdatasync(int fd) { return sync_file(fd, "fdatasync"); }

static void answer_fault(int fd) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (!folder || getsockname(fd, (struct sockaddr *)&address, &length) || address.ss_family != AF_INET) return;
  pthread_mutex_lock(&lock);
  fault("answer", "socket");
  pthread_mutex_unlock(&lock);
}

static int write_fault(int fd) {
  char path[PATH];
  answer_fault(fd);
  if (!path_of(fd, path)) return 0;
  pthread_mutex_lock(&lock);
  int error = fault("write", path);
  pthread_mutex_unlock(&lock);
  errno = error;
  return error;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) {
  if (write_fault(fd)) return -1;
  ssize_t done = raw_pwrite(fd, data, length, offset);
  if (done > 0) written(fd, offset, done);
  return done;
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return pwrite64(fd, data, length, offset); }

ssize_t write(int fd, const void *data, size_t length) {
  if (write_fault(fd)) return -1;
  ssize_t done = syscall(SYS_write, fd, data, length);
  off_t end = done > 0 ? lseek(fd, 0, SEEK_CUR) : -1;
  if (end >= done) written(fd, end - done, done);
  return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  answer_fault(fd);
  return syscall(SYS_writev, fd, parts, count);
}

/** What is cut off is gone at once: the file system's journal has it. */
int ftruncate64(int fd, off_t length) {
  int result = (int)syscall(SYS_ftruncate, fd, length);
  char path[PATH];
  if (!result && path_of(fd, path)) {
    pthread_mutex_lock(&lock);
    int copy = kept(path, O_WRONLY | O_CREAT);
    if (syscall(SYS_ftruncate, copy, length)) abort();
    syscall(SYS_close, copy);
    pthread_mutex_unlock(&lock);
  }
  return result;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int open_file(const char *path, int flags, int mode) {
  char whole[PATH];
  if (folder && under && realpath(path, whole) == NULL) snprintf(whole, PATH, "%s", path);
  if (folder && under && !strncmp(whole, under, strlen(under))) {
    pthread_mutex_lock(&lock);
    int error = fault("open", whole);
    pthread_mutex_unlock(&lock);
    if (error) {
      errno = error;
      return -1;
    }
  }
  return raw_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, int) : 0;
  va_end(more);
  return open_file(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, int) : 0;
  va_end(more);
  return open_file(path, flags, mode);
}
