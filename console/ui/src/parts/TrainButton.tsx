import { Button } from "@mantine/core";
import { IconSchool } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { ask, type Models } from "../api";
import { useTexts } from "../texts";
import { tellError } from "./parts";
import { useMutation } from "./acting";

/** Begins a training, and shows its progress in the page of models. */
export function TrainButton({ disabled = false }: { disabled?: boolean }) {
  const { say } = useTexts();
  const go = useNavigate();
  const queries = useQueryClient();
  const beginning = useMutation({
    mutationFn: () => ask<Models>("POST", "/models/training"),
    onSuccess: (models) => {
      queries.setQueryData(["models"], models);
      void go("/models");
    },
    onError: (error) => tellError(say, error),
  });
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconSchool size={16} />}
      disabled={disabled}
      loading={beginning.isPending}
      onClick={() => beginning.mutate()}
    >
      {say("nlu.train")}
    </Button>
  );
}
