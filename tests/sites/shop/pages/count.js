// counts visits
