/** Why a port cannot be listened on, and what helps. */
export function portProblem(port: number, cause: NodeJS.ErrnoException): string {
  if (cause.code === 'EADDRINUSE') return `Port ${port} is taken: stop what listens there, or set PORT to another one.`
  if (cause.code === 'EACCES') return `Port ${port} may not be used by this user: set PORT to one above 1023.`
  return `The service cannot listen on port ${port}: ${cause.message}`
}
