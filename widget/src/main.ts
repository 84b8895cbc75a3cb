import { ownScript, start } from "./embed";

start(ownScript());
