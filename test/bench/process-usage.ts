import { readFile } from 'node:fs/promises'

export interface ProcessUsage {
  /** Of all threads, user and system. */
  readonly cpuMs: number
  readonly rssMb: number
}

/**
 * CPU time and memory of a process; undefined where the system does not report them. Linux reports CPU time in
 * hundredths of a second and memory in pages of 4 KB (proc(5)).
 */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssMb: (Number(fields[21]) * 4096) / 2 ** 20 }
  } catch {
    return undefined
  }
}
