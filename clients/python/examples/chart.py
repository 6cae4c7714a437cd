# %% [markdown]
# # How many people qualify, day by day
#
# Run it cell by cell in an editor that knows `# %%`, or as a whole: `python chart.py <id of a study> chart.png`.
# It needs `pip install screening-client pandas matplotlib`, and SCREENING_URL, SCREENING_KEY and SCREENING_SECRET.

# %%
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd

from screening_client import Client

screener_id, picture = sys.argv[1:3]
client = Client(
    os.environ["SCREENING_URL"],
    api_key=os.environ["SCREENING_KEY"],
    api_secret=os.environ["SCREENING_SECRET"],
)

# %% [markdown]
# ## Sessions with their outcomes, as a data frame

# %%
sessions = pd.DataFrame(
    client.items(
        "/screener-sessions",
        query={"filter[screenerId][eq]": screener_id, "filter[state][eq]": "COMPLETED", "expand": "outcome"},
    ),
    columns=["id", "completedAt", "outcome"],
)
sessions["day"] = pd.to_datetime(sessions["completedAt"]).dt.date
print(sessions["outcome"].value_counts().to_dict())

# %% [markdown]
# ## The chart

# %%
by_day = sessions.groupby(["day", "outcome"]).size().unstack(fill_value=0)
axes = by_day.plot.bar(stacked=True, title="Completed sessions by day")
axes.set_xlabel("")
axes.set_ylabel("Sessions")
plt.tight_layout()
plt.savefig(picture)
print(f"{len(sessions)} sessions in {picture}")
