export { readChangeFeed } from './read-change-feed.ts'
