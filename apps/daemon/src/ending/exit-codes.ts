/**
 * Every exit status of our programs. Above 64 they follow sysexits.h. `EXIT_MEANINGS` documents them
 * for the authors of scripts and service files.
 */
export const EXIT = {
  /** Stopped as asked, or printed what was asked for. */
  ok: 0,
  /** Wrong options, a start that failed, a command that was refused, or a second signal, more than a second after the first. As
   * in monerod. */
  failed: 1,
  /** `doctor` has warnings, and has found nothing that fails. */
  warnings: 2,
  /** EX_UNAVAILABLE: this machine cannot verify or store blocks, after several attempts. */
  unavailable: 69,
  /** EX_SOFTWARE: an error in the program; a crash report is in the data directory. */
  software: 70,
  /** EX_OSERR: a limit of the system is too low to run. */
  limit: 71,
  /** EX_IOERR: the chain cannot be read or written, for example because the disk is full. */
  storage: 74,
  /** The chain tool was interrupted by a signal. */
  interrupted: 130,
} as const;
