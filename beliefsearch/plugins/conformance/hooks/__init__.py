"""The rules about hooks, one file for a hook or several that belong together; what stands here is found by itself."""
