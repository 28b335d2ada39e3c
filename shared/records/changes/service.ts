export { type ChangeFeedDependencies, readChangeFeed } from './read-change-feed.ts'
