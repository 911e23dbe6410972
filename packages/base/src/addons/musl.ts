interface Report {
  readonly header: { readonly glibcVersionRuntime?: string };
}

/** Returns whether this Node runs on a C library other than glibc, for which no addon is compiled. */
export function isMusl(): boolean {
  const { report } = process as { report?: NodeJS.ProcessReport & { excludeNetwork?: boolean } };
  if (report === undefined) return false;
  // The addresses of the machine would take most of the time.
  const before = report.excludeNetwork;
  report.excludeNetwork = true;
  const { header } = report.getReport() as unknown as Report;
  report.excludeNetwork = before ?? false;
  return header.glibcVersionRuntime === undefined;
}
