import { readFile } from 'node:fs/promises'

export interface ProcessUsage {
  /** Of all threads, user and system. */
  readonly cpuMs: number
  /** Resident memory, mapped files included: those of the database grow with it, and the system takes them back. */
  readonly rssMb: number
  /** Resident memory without mapped files. */
  readonly ownMb: number
}

/**
 * CPU time and memory of a process; undefined where the system does not report them. Linux reports CPU time in
 * hundredths of a second and memory in pages of 4 KB (proc(5)).
 */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [, resident = 0, mapped = 0] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ').map(Number)
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
      rssMb: megabytes(resident),
      ownMb: megabytes(resident - mapped),
    }
  } catch {
    return undefined
  }
}

const megabytes = (pages: number): number => (pages * 4096) / 2 ** 20
