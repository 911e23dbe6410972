export {
  EventPublisher,
  type EventPublisherDependencies,
  type EventPublisherOptions,
} from './publish/event-publisher.ts';
export type { EventsStatus } from './publish/publisher-state.ts';
