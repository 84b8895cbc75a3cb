/**
 * One connection of server-sent events, over fetch: the browser's own EventSource cannot show a token in a header.
 * Connecting again is the caller's.
 */

import { createParser } from "eventsource-parser";
import { ApiError, errorOf } from "./api";

/** The server says something at least every 15 s; a connection that is silent for this long is dead. */
export const SILENCE_MS = 45_000;

export interface StreamEvent {
  name: string;
  /** JSON, not yet looked at; undefined when it is none. */
  data: unknown;
}

export interface StreamOptions {
  url: string;
  headers: Record<string, string>;
  signal: AbortSignal;
  onOpen: () => void;
  onEvent: (event: StreamEvent) => void;
}

/** Returns when the server ends the stream or `signal` does; throws an ApiError when it breaks off or is refused. */
export async function readEvents({ url, headers, signal, onOpen, onEvent }: StreamOptions): Promise<void> {
  const connection = new AbortController();
  const end = (): void => connection.abort();
  signal.addEventListener("abort", end);
  let timer = setTimeout(end, SILENCE_MS);
  try {
    const response = await fetch(url, {
      headers: { ...headers, Accept: "text/event-stream" },
      credentials: "omit",
      cache: "no-store",
      signal: connection.signal,
    });
    if (!response.ok) throw await errorOf(response);
    if (!response.body) throw new ApiError("network");
    const parser = createParser({
      onEvent: ({ event, data }) => onEvent({ name: event ?? "message", data: json(data) }),
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    onOpen();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(end, SILENCE_MS);
      parser.feed(chunk.value);
    }
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof ApiError ? error : new ApiError("network");
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

function json(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
