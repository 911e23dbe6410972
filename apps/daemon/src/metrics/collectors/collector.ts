/** Reads present values into instruments; called before each scrape. */
export type Collector = () => void | Promise<void>;
