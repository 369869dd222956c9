"""The six agents, one for each stage of the pipeline, and the frame they share (`registry` has them all).

Nothing is imported here: whoever only reads prompts waits for no agent.
"""
