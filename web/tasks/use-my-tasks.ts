import { useQuery } from '@tanstack/react-query'
import type { Task } from '../api/about-record.ts'
import { myTasksQuery } from '../api/my-work.ts'

/** Tells whether a task waits for the reader, or for somebody for whom the reader stands in. */
export function useIsMine(): (task: Task) => boolean {
  const { data: mine } = useQuery(myTasksQuery)
  return ({ id }) => mine?.some((one) => one.id === id) === true
}
