/** Actions of the console on the API: each runs once, however often its button is pressed meanwhile. */
import {
  hashKey,
  useMutation as useUnguarded,
  type MutateOptions,
  type UseMutationOptions,
  type UseMutationResult,
} from "@tanstack/react-query";
import { useRef } from "react";

/**
 * Return a mutation of React Query that drops a call while the same one, with the same values, still runs. A button that
 * loads comes too late for a double click: React draws it after the second one.
 */
export function useMutation<Done, Values = void>(
  options: UseMutationOptions<Done, Error, Values>,
): UseMutationResult<Done, Error, Values> {
  const running = useRef(new Set<string>());
  const made = useUnguarded<Done, Error, Values>({
    ...options,
    onSettled: (...told) => {
      running.current.delete(hashKey([told[2]]));
      return options.onSettled?.(...told);
    },
  });
  const mutate = (values: Values, more?: MutateOptions<Done, Error, Values>) => {
    const call = hashKey([values]);
    if (running.current.has(call)) return;
    running.current.add(call);
    made.mutate(values, more);
  };
  return { ...made, mutate: mutate as typeof made.mutate };
}
